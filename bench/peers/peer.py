"""One engine, one process: python3 peer.py ENGINE FOLDER answers the three stages, and prints one line of JSON with what it took.

Reads transaction.parquet and settlement.parquet of the folder, as the SQL does. Each engine does what its own manual would do:
as-of joins for the windows, running sums for the ceiling, the row before for duplicates. Nothing carries an invoice number here,
so the row before decides on duplicates. `datacompy` only compares two tables of nets, reported and computed.
"""

import json
import os
import resource
import sys
import time

ENGINE, FOLDER, THREADS = sys.argv[1], sys.argv[2], sys.argv[3]
FIRST_WINDOW_DAYS = int(sys.argv[4])
TRANSACTIONS, SETTLEMENTS = f"{FOLDER}/transaction.parquet", f"{FOLDER}/settlement.parquet"
os.environ["POLARS_MAX_THREADS"] = THREADS


def with_polars(took, engine):
    import polars as pl

    c = pl.col
    transactions, settlements = pl.scan_parquet(TRANSACTIONS), pl.scan_parquet(SETTLEMENTS)
    signed = pl.when(c("action") == "CHARGE").then("total_cents").when(c("action") == "REFUND").then(-c("total_cents")).otherwise(0)
    in_order = settlements.sort("terminal_id", "created", "settlement_id").with_columns(
        begins_after=c("created").shift(1).over("terminal_id").fill_null(c("created") - pl.duration(days=FIRST_WINDOW_DAYS))
    )
    summed = (
        transactions.filter("settled")
        .select("terminal_id", "created", v=signed, void=c("status") == "VOID")
        .sort("created")
        .join_asof(
            in_order.select("settlement_id", "terminal_id", "created", "begins_after").sort("created"),
            left_on="created",
            right_on="created",
            by="terminal_id",
            strategy="forward",
            check_sortedness=False,
        )
        .filter(c("created") > c("begins_after"))
        .group_by("settlement_id")
        .agg(net=c("v").sum(), void=c("void").any())
    )
    flagged = (
        in_order.join(summed, on="settlement_id", how="left", maintain_order="left")
        .with_columns(off=c("net").fill_null(0) - c("reported_cents"))
        .with_columns(is_shifted=((c("off") == -c("off").shift(1).over("terminal_id")) | (c("off") == -c("off").shift(-1).over("terminal_id"))).fill_null(False))
        .select(
            n=(c("off") != 0).sum(),
            shifted=((c("off") != 0) & c("is_shifted")).sum(),
            void=c("void").fill_null(False).sum(),
            cents=c("off").abs().sum(),
        )
    )
    took("window", flagged.collect(engine=engine).row(0))

    good = c("fine_key").is_not_null() & c("approved") & (c("status") != "VOID")
    moves_money = c("fine_key").is_not_null() & (c("settled") | good)
    counted = transactions.filter(moves_money & c("action").is_in(["CHARGE", "REFUND"]))
    refunded = counted.filter(c("action") == "REFUND").select("fine_key").unique()
    running = (
        counted.select("fine_key", "created", "transaction_id", v=signed)
        .join(refunded, on="fine_key", how="semi")
        .sort("fine_key", "created")
        .with_columns(sum=c("v").cum_sum().over("fine_key"))
        .with_columns(sum=c("sum").last().over("fine_key", "created"))
        .collect(engine=engine)
        .lazy()
    )
    breaches = (
        running.filter(c("v") < 0)
        .with_columns(year_before=c("created").dt.offset_by("-12mo"))
        .sort("year_before")
        .join_asof(
            running.select("fine_key", at="created", before="sum").sort("at"),
            left_on="year_before",
            right_on="at",
            by="fine_key",
            strategy="backward",
            allow_exact_matches=False,
            check_sortedness=False,
        )
        .with_columns(left=c("sum") - c("before").fill_null(0))
        .filter(c("left") < 0)
        .select(n=pl.len(), ids=c("transaction_id").bitwise_xor(), cents=-c("left").sum())
    )
    took("ceiling", breaches.collect(engine=engine).row(0))
    del running

    key = ["fine_key", "total_cents"]
    ordered = transactions.filter(good & (c("action") == "CHARGE")).select(*key, "created", "transaction_id").sort(*key, "created", "transaction_id")
    repeated = ordered.filter(
        (c("fine_key") == c("fine_key").shift(1))
        & (c("total_cents") == c("total_cents").shift(1))
        & (c("created") - c("created").shift(1) <= pl.duration(seconds=600))
    ).select(n=pl.len(), ids=c("transaction_id").bitwise_xor())
    took("duplicates", repeated.collect(engine=engine).row(0))


def with_pandas(took):
    import numpy as np
    import pandas as pd
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = ["transaction_id", "terminal_id", "created", "action", "status", "approved", "settled", "total_cents", "fine_key"]
    # As doubles, which columns with gaps become by default, keys of 64 bits would run into each other.
    exact = {pa.uint64(): pd.UInt64Dtype()}.get
    t = pq.read_table(TRANSACTIONS, columns=columns).to_pandas(types_mapper=exact)
    s = pd.read_parquet(SETTLEMENTS)
    is_card = t.fine_key.notna()
    t["fine_key"] = t.fine_key.fillna(0).astype("uint64")
    xor = lambda ids: int(np.bitwise_xor.reduce(ids.to_numpy(dtype="int64"))) if len(ids) else 0
    is_charge, is_refund = t.action == "CHARGE", t.action == "REFUND"
    t["v"] = t.total_cents.where(is_charge, -t.total_cents).where(is_charge | is_refund, 0)
    s = s.sort_values(["terminal_id", "created", "settlement_id"])
    s["begins_after"] = s.groupby("terminal_id").created.shift(1).fillna(s.created - pd.Timedelta(days=FIRST_WINDOW_DAYS))
    x = t.loc[t.settled, ["terminal_id", "created", "v", "status"]].sort_values("created")
    x["void"] = x.status == "VOID"
    placed = pd.merge_asof(
        x.drop(columns="status"), s[["settlement_id", "terminal_id", "created", "begins_after"]].sort_values("created"),
        on="created", by="terminal_id", direction="forward",
    )
    placed = placed[placed.created > placed.begins_after]
    summed = placed.groupby("settlement_id").agg(net=("v", "sum"), void=("void", "any"))
    f = s.merge(summed, how="left", left_on="settlement_id", right_index=True)
    off = f.net.fillna(0).astype("int64") - f.reported_cents
    by_terminal = off.groupby(f.terminal_id)
    shifted = (off != 0) & ((off == -by_terminal.shift(1)) | (off == -by_terminal.shift(-1)))
    took("window", ((off != 0).sum(), shifted.sum(), (f.void == True).sum(), off.abs().sum()))  # noqa: E712
    del x, placed

    good = is_card & t.approved & (t.status != "VOID")
    moves_money = is_card & (t.settled | good)
    y = t.loc[moves_money & (is_charge | is_refund), ["fine_key", "created", "transaction_id", "v"]]
    y = y[y.fine_key.isin(y.fine_key[y.v < 0].unique())].sort_values(["fine_key", "created"])
    y["sum"] = y.groupby("fine_key").v.cumsum()
    y["sum"] = y.groupby(["fine_key", "created"])["sum"].transform("last")
    r = y[y.v < 0].copy()
    r["year_before"] = r.created - pd.DateOffset(months=12)
    b = pd.merge_asof(
        r.sort_values("year_before"),
        y[["fine_key", "created", "sum"]].rename(columns={"created": "at", "sum": "before"}).sort_values("at"),
        left_on="year_before", right_on="at", by="fine_key", allow_exact_matches=False,
    )
    left = b["sum"] - b.before.fillna(0).astype("int64")
    took("ceiling", ((left < 0).sum(), xor(b.transaction_id[left < 0]), -left[left < 0].sum()))
    del y, r, b

    key = ["fine_key", "total_cents", "created", "transaction_id"]
    z = t.loc[good & is_charge, key].sort_values(key)
    before = z.shift(1)
    again = (z.fine_key == before.fine_key) & (z.total_cents == before.total_cents) & (z.created - before.created <= pd.Timedelta(seconds=600))
    took("duplicates", (again.sum(), xor(z.transaction_id[again])))


def with_chdb(took):
    from chdb import session

    chdb = session.Session()
    chdb.query(f"SET max_threads = {THREADS}")
    t, s = f"file('{TRANSACTIONS}', Parquet)", f"file('{SETTLEMENTS}', Parquet)"
    signed = "multiIf(action = 'CHARGE', assumeNotNull(total_cents), action = 'REFUND', -assumeNotNull(total_cents), 0)"

    def row(query):
        line = str(chdb.query(query + " SETTINGS output_format_json_quote_64bit_integers = 0", "JSONCompactEachRow"))
        return json.loads(line.strip().splitlines()[0])

    whole = "ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING"
    chdb.query("CREATE DATABASE IF NOT EXISTS peer ENGINE = Atomic")
    chdb.query("USE peer")
    chdb.query(f"""CREATE TABLE reach ENGINE = Memory AS SELECT assumeNotNull(settlement_id) AS settlement_id, assumeNotNull(terminal_id) AS terminal_id,
      assumeNotNull(created) AS ends_at, assumeNotNull(reported_cents) AS reported_cents,
      ifNull(lagInFrame(toNullable(created)) OVER (PARTITION BY terminal_id ORDER BY created, settlement_id {whole}), assumeNotNull(created) - INTERVAL {FIRST_WINDOW_DAYS} DAY) AS begins_after FROM {s}""")
    took("window", row(f"""WITH summed AS (
        SELECT reach.settlement_id AS settlement_id, sum(v) AS net, max(is_void) AS has_void
        FROM (SELECT assumeNotNull(terminal_id) AS terminal_id, assumeNotNull(created) AS created, {signed} AS v, status = 'VOID' AS is_void FROM {t} WHERE settled) AS x
        ASOF JOIN reach ON x.terminal_id = reach.terminal_id AND x.created <= reach.ends_at
        WHERE x.created > reach.begins_after GROUP BY reach.settlement_id),
      compared AS (SELECT reach.terminal_id AS terminal_id, reach.ends_at AS ends_at, reach.settlement_id AS settlement_id,
          toInt64(ifNull(summed.net, 0)) - reach.reported_cents AS off, ifNull(summed.has_void, 0) AS has_void
        FROM reach LEFT JOIN summed ON reach.settlement_id = summed.settlement_id),
      flagged AS (SELECT off, has_void,
          lagInFrame(toNullable(off)) OVER (PARTITION BY terminal_id ORDER BY ends_at, settlement_id {whole}) AS off_before,
          leadInFrame(toNullable(off)) OVER (PARTITION BY terminal_id ORDER BY ends_at, settlement_id {whole}) AS off_after FROM compared)
      SELECT toInt64(countIf(off != 0)), toInt64(countIf(off != 0 AND (ifNull(off_before = -off, 0) OR ifNull(off_after = -off, 0)))), toInt64(countIf(has_void)), toInt64(sum(abs(off))) FROM flagged"""))
    good = "fine_key IS NOT NULL AND approved AND status != 'VOID'"
    moves_money = f"fine_key IS NOT NULL AND (settled OR {good})"
    chdb.query(f"""CREATE TABLE running ENGINE = Memory AS SELECT fine_key, created, transaction_id, v,
        sum(v) OVER (PARTITION BY fine_key ORDER BY created RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS total
      FROM (SELECT assumeNotNull(fine_key) AS fine_key, assumeNotNull(created) AS created, assumeNotNull(transaction_id) AS transaction_id, {signed} AS v
        FROM {t} WHERE {moves_money} AND action IN ('CHARGE', 'REFUND') AND fine_key IN (SELECT fine_key FROM {t} WHERE {moves_money} AND action = 'REFUND'))""")
    took("ceiling", row("""SELECT toInt64(count()), toInt64(groupBitXor(id)), toInt64(sum(-left_over)) FROM (
        SELECT refund.transaction_id AS id, refund.total - earlier.total AS left_over
        FROM (SELECT *, subtractMonths(created, 12) AS year_before FROM running WHERE v < 0) AS refund
        ASOF LEFT JOIN running AS earlier ON refund.fine_key = earlier.fine_key AND refund.year_before > earlier.created) WHERE left_over < 0"""))
    took("duplicates", row(f"""SELECT toInt64(count()), toInt64(groupBitXor(assumeNotNull(transaction_id))) FROM (
        SELECT transaction_id, created, lagInFrame(toNullable(created)) OVER (PARTITION BY fine_key, total_cents ORDER BY created, transaction_id {whole}) AS before
        FROM {t} WHERE {good} AND action = 'CHARGE')
      WHERE before IS NOT NULL AND dateDiff('microsecond', before, created) <= 600000000"""))


def with_datacompy(took):
    import datacompy
    import polars as pl

    reported, computed = pl.read_parquet(SETTLEMENTS), pl.read_parquet(f"{FOLDER}/computed.parquet")
    reported = reported.select("settlement_id", cents="reported_cents")
    computed = computed.select("settlement_id", cents="window_cents")
    try:
        # Its faster engine, where the installed polars is one that it knows.
        datacompy.PolarsCompare(reported[:2], computed[:2], join_columns="settlement_id")
        compare = datacompy.PolarsCompare
    except Exception:
        reported, computed = reported.to_pandas(), computed.to_pandas()
        # Older versions have one of pandas alone, under the plain name.
        compare = getattr(datacompy, "PandasCompare", None) or datacompy.Compare
    took("start", ())
    took("compare", (len(compare(reported, computed, join_columns="settlement_id").all_mismatch()),))


ENGINES = {
    "polars": lambda took: with_polars(took, "in-memory"),
    "polars_streaming": lambda took: with_polars(took, "streaming"),
    "pandas": with_pandas,
    "chdb": with_chdb,
    "datacompy": with_datacompy,
}


def peak_memory_mb():
    """The rusage of a child begins with its parent's, so Linux is asked itself."""
    try:
        with open("/proc/self/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) // 1024
    except (OSError, StopIteration):
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def main():
    # Nobody is charged for starting up.
    __import__({"polars_streaming": "polars"}.get(ENGINE, ENGINE))
    if ENGINE == "pandas":
        import pyarrow.parquet  # noqa: F401
    stages, answers = {}, {}
    since = [time.perf_counter()]

    def took(stage, answer):
        now = time.perf_counter()
        stages[stage] = now - since[0]
        if answer:
            answers[stage] = [int(value or 0) for value in answer]
        since[0] = now

    before = resource.getrusage(resource.RUSAGE_SELF)
    ENGINES[ENGINE](took)
    after = resource.getrusage(resource.RUSAGE_SELF)
    cpu_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(json.dumps({"stages": stages, "answers": answers, "cpu_s": cpu_s, "peak_rss_mb": peak_memory_mb()}))


main()
