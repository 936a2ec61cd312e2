"""The reconciliation once more, in polars, from the rules alone: no SQL, no code shared with the models.

Reads what the lake saw (transaction_version, settlement_version, terminal_version, sweep: Parquet files in the folder that is
named), takes from the SQL only which transaction is in which settlement (attribution), and writes what it finds beside them:
net, day, window and finding. Amounts are whole cents throughout.
"""

import json
import sys
from pathlib import Path

import polars as pl

FOLDER = Path(sys.argv[1])
GIVEN = json.loads((FOLDER / "given.json").read_text())
AS_OF = pl.lit(GIVEN["as_of"]).str.to_datetime("%Y-%m-%d %H:%M:%S", time_unit="us")
AS_OF_DATE = pl.lit(GIVEN["as_of_date"]).str.to_date("%Y-%m-%d")
DAY_US = 86_400_000_000
FIRST_WINDOW = pl.duration(days=GIVEN["first_window_days"])

c = pl.col


def read(name: str) -> pl.DataFrame:
    return pl.read_parquet(FOLDER / f"{name}.parquet")


def known(name: str) -> pl.DataFrame:
    """The account's versions that had landed, oldest first."""
    rows = read(name).filter(
        c("account") == GIVEN["account"], c("landing_seq") <= GIVEN["known_at"]
    )
    return rows.sort("landing_seq", *(["ordinal"] if "ordinal" in rows.columns else []))


def newest(rows: pl.DataFrame, key: str) -> pl.DataFrame:
    return rows.unique(subset=key, keep="last", maintain_order=True)


def business_date(instant: pl.Expr) -> pl.Expr:
    return instant.dt.replace_time_zone("UTC").dt.convert_time_zone(GIVEN["timezone"]).dt.date()


def signed(total: pl.Expr) -> pl.Expr:
    return (
        pl.when(c("action") == "CHARGE").then(total).when(c("action") == "REFUND").then(-total).otherwise(0)
    )


def with_signs(rows: pl.DataFrame) -> pl.DataFrame:
    return rows.with_columns(
        c("approved").fill_null(False),
        c("settled").fill_null(False),
        signed(c("total_cents")).cast(pl.Int64).alias("signed_cents"),
    )


versions = with_signs(known("transaction_version"))
settlement_versions = known("settlement_version")
transactions = newest(versions, "transaction_id").with_columns(
    business_date(c("created")).alias("business_date")
)
settlements = newest(settlement_versions, "settlement_id").with_columns(
    business_date(c("created")).alias("business_date")
)
terminal_versions = known("terminal_version")
terminals = newest(terminal_versions, "terminal_id")
sweeps = known("sweep")
attribution = read("attribution")

found: list[pl.DataFrame] = []


def find(code: str, subject: str, rows: pl.DataFrame, amount: pl.Expr, certainty: pl.Expr | None = None) -> None:
    """Adds a finding for each row; `subject` is settlement, transaction or terminal, and its id a column."""
    found.append(
        rows.select(
            pl.lit(code).alias("code"),
            pl.lit(subject).alias("subject_type"),
            c(f"{subject}_id").cast(pl.String).alias("subject_id"),
            amount.cast(pl.Int64).alias("amount_cents"),
            (pl.lit(None, pl.String) if certainty is None else certainty).alias("certainty"),
        )
    )


# Net of each settlement from the transactions that are attributed to it.
summed = (
    attribution.join(transactions, on="transaction_id")
    .group_by("settlement_id")
    .agg(
        pl.len().cast(pl.Int64).alias("transaction_count"),
        c("total_cents").filter(c("action") == "CHARGE").sum().alias("charge_cents"),
        c("total_cents").filter(c("action") == "REFUND").sum().alias("refund_cents"),
    )
)
read_at = sweeps.filter(c("list") == "transactions")["started_seq"].max()
net = (
    settlements.join(summed, on="settlement_id", how="left")
    .with_columns(
        c("transaction_count").is_null().alias("is_empty"),
        c("transaction_count", "charge_cents", "refund_cents").fill_null(0),
        (c("landing_seq") <= read_at).alias("is_read"),
    )
    .with_columns((c("charge_cents") - c("refund_cents")).alias("member_cents"))
    .with_columns(
        pl.when(c("status") != "COMPLETE")
        .then(pl.lit("PENDING"))
        .when(~c("is_read"))
        .then(pl.lit("NO_DATA"))
        .when(c("member_cents") == c("net_cents"))
        .then(pl.lit("TIED"))
        .otherwise(pl.lit("UNEQUAL"))
        .alias("verdict")
    )
    .with_columns(
        pl.when((c("verdict") == "NO_DATA") | ((c("verdict") == "PENDING") & c("is_empty")))
        .then(None)
        .otherwise(c("member_cents"))
        .alias("computed_cents")
    )
    .with_columns((c("computed_cents") - c("net_cents")).alias("difference_cents"))
)
find("AMOUNT_MISMATCH", "settlement", net.filter(c("verdict") == "UNEQUAL"), c("difference_cents"))
find(
    "PENDING_STALE",
    "settlement",
    net.filter(
        c("verdict") == "PENDING",
        (AS_OF_DATE - c("business_date")).dt.total_days() > GIVEN["pending_stale_days"],
    ),
    c("net_cents"),
)

# Totals by business date: of settlements, and of the transactions that are in them.
settled_day = net.group_by("business_date").agg(
    pl.len().cast(pl.Int64).alias("settlements"),
    c("net_cents").sum().alias("reported_cents"),
    c("computed_cents").sum().alias("computed_cents"),
    c("charge_cents").sum(),
    c("refund_cents").sum(),
)
traded_day = transactions.group_by("business_date").agg(
    pl.len().cast(pl.Int64).alias("transactions"),
    c("signed_cents").filter("settled").sum().alias("settled_cents"),
)
day = settled_day.join(traded_day, on="business_date", how="full", coalesce=True)

# Attribution by the plain window, with its flags: an as-of join, and neighbours by shifting.
ordered = (
    settlements.sort("terminal_id", "created", "settlement_id")
    .with_columns(c("created").shift(1).over("terminal_id").alias("before"))
    .with_columns(c("before").fill_null(c("created") - FIRST_WINDOW).alias("begins_after"))
)
by_time = (
    transactions.filter("settled")
    .select("terminal_id", c("created").alias("at"), "signed_cents", "status")
    .sort("at")
)
placed = by_time.join_asof(
    # Of two settlements of one instant the earlier one takes all.
    ordered.unique(subset=["terminal_id", "created"], keep="first", maintain_order=True).sort("created"),
    left_on="at",
    right_on="created",
    by="terminal_id",
    strategy="forward",
).filter(c("at") > c("begins_after"))
in_window = placed.group_by("settlement_id").agg(
    pl.len().cast(pl.Int64).alias("members"),
    c("signed_cents").sum().alias("window_cents"),
    (c("status") == "VOID").any().alias("has_void"),
)
window = (
    ordered.join(in_window, on="settlement_id", how="left", maintain_order="left")
    .with_columns(c("members", "window_cents").fill_null(0), c("has_void").fill_null(False))
    .with_columns((c("window_cents") - c("net_cents")).alias("off"))
    .with_columns(
        (
            (c("off") != 0)
            & (
                (c("off").shift(1).over("terminal_id") == -c("off")).fill_null(False)
                | (c("off").shift(-1).over("terminal_id") == -c("off")).fill_null(False)
            )
        ).alias("is_shifted"),
        (c("off") != 0).alias("is_off"),
    )
)

# Refund ceiling: sums up to an instant, less sums up to a year before it.
has_card = c("vault_type") == "CARD"
moves_money = c("settled") | (c("approved") & (c("status") != "VOID"))
card = transactions.filter(has_card, moves_money, c("action").is_in(["CHARGE", "REFUND"])).with_columns(
    pl.concat_str(c("vault_type"), c("account_type").fill_null(""), c("last_four").fill_null(""), separator="|").alias("coarse")
)
card = card.with_columns(
    (c("coarse") + pl.when(c("billing_key").is_null()).then(pl.lit("")).otherwise("|" + c("billing_key").cast(pl.String))).alias("fine")
)


def sums_to(refunds: pl.DataFrame, key: str, action: str, name: str) -> pl.DataFrame:
    """Adds what the key's transactions of an action total in the 12 months up to and with the refund's instant."""
    running = (
        card.filter(c("action") == action)
        .group_by(key, "created")
        .agg(c("total_cents").sum())
        .sort("created")
        .with_columns(c("total_cents").cum_sum().over(key).alias("sum"))
        .select(key, "sum", c("created").alias("at"))
    )
    upto = refunds.sort("created").join_asof(
        running, left_on="created", right_on="at", by=key, strategy="backward"
    )
    before = upto.rename({"sum": "upto"}).drop("at").sort("year_before").join_asof(
        running, left_on="year_before", right_on="at", by=key, strategy="backward", allow_exact_matches=False
    )
    return before.with_columns((c("upto").fill_null(0) - c("sum").fill_null(0)).alias(name)).drop("upto", "sum", "at")


refunds = card.filter(c("action") == "REFUND", c("total_cents") > 0).with_columns(
    c("created").dt.offset_by("-12mo").alias("year_before")
)
refunds = sums_to(refunds, "fine", "CHARGE", "charged_fine")
refunds = sums_to(refunds, "fine", "REFUND", "refunded_fine")
refunds = sums_to(refunds, "coarse", "CHARGE", "coarse_card_charges")
certified = ["SNAPSHOT", "CONTIGUOUS"]
is_covered = bool(
    sweeps.filter(c("list") == "transactions", c("certificate").is_in(certified), c("covers_from").is_null()).height
)
# A charge without all card fields may be on any card that agrees with the others. Each charge of these worlds has its last four digits.
incomplete = transactions.filter(
    c("action") == "CHARGE",
    moves_money,
    c("vault_type").is_null() | (has_card & c("account_type").is_null()),
).select("last_four", c("account_type").alias("brand_of_charge"), c("created").alias("charged_at"))
uncertain = (
    refunds.join(incomplete, on="last_four")
    .filter(
        c("brand_of_charge").is_null() | (c("brand_of_charge") == c("account_type")),
        c("charged_at").is_between("year_before", "created"),
    )
    .select("transaction_id")
    .unique()
)
refunds = refunds.with_columns(
    (c("account_type").is_null() | c("transaction_id").is_in(uncertain["transaction_id"].implode())).alias("is_uncertain")
)
is_certain = (c("total_cents") > c("coarse_card_charges")) & is_covered & ~c("is_uncertain")
ceiling = refunds.filter((c("total_cents") > c("charged_fine")) | (c("refunded_fine") > c("charged_fine")))
find(
    "REFUND_CEILING_BREACH",
    "transaction",
    ceiling,
    pl.min_horizontal(
        c("total_cents"),
        c("refunded_fine") - pl.when(is_certain).then(c("coarse_card_charges")).otherwise(c("charged_fine")),
    ),
    pl.when(is_certain)
    .then(pl.lit("CERTAIN"))
    .otherwise(pl.lit("SUSPECTED" if is_covered else "INSUFFICIENT_HISTORY")),
)

# Duplicates: each charge beside every other one of its card and amount.
charge = card.filter(c("action") == "CHARGE", "approved", c("status") != "VOID").select(
    "transaction_id",
    "created",
    "fine",
    "total_cents",
    pl.when(c("invoice_number").str.strip_chars(" ") == "").then(None).otherwise(c("invoice_number").str.strip_chars(" ")).alias("invoice"),
)
several = charge.filter(pl.len().over("fine", "total_cents") > 1)
pairs = several.join(several, on=["fine", "total_cents"], suffix="_before").filter(
    pl.struct("created_before", "transaction_id_before") != pl.struct("created", "transaction_id"),
    (c("created_before") < c("created"))
    | ((c("created_before") == c("created")) & (c("transaction_id_before") < c("transaction_id"))),
    c("created") - c("created_before") <= pl.duration(seconds=600),
    c("invoice").is_null() | c("invoice_before").is_null() | (c("invoice") == c("invoice_before")),
)
find("DUPLICATE_CHARGE", "transaction", pairs.unique(subset="transaction_id"), c("total_cents"))

# Records that are wrong by themselves, or beside their terminal.
PARTS = ["base_cents", "tax_cents", "shipping_cents", "tip_cents", "surcharge_cents"]
parts = pl.sum_horizontal(c(*PARTS).fill_null(0))
find("TOTAL_MISMATCH", "transaction", transactions.filter(c("total_cents") != parts), c("total_cents") - parts)
find("SETTLED_NOT_CAPTURED", "transaction", transactions.filter("settled", c("status").is_in(["HOLD", "VOID"])), c("signed_cents"))
find("SETTLED_NOT_APPROVED", "transaction", transactions.filter("settled", ~c("approved")), c("signed_cents"))
find(
    "VERIFY_NONZERO",
    "transaction",
    transactions.filter(c("action") == "VERIFY", pl.any_horizontal(c("total_cents", *PARTS).fill_null(0) != 0)),
    c("total_cents"),
)
find(
    "AMOUNT_OVER_LIMIT",
    "transaction",
    transactions.filter(pl.any_horizontal(c("total_cents", *PARTS).fill_null(0) > 100_000_000)),
    c("total_cents"),
)
# A terminal's version in force: the newest one not after the first landing, else the terminal's first one.
first_landings = versions.group_by("transaction_id").agg(c("landing_seq").min().alias("first_seq"))
settings = terminal_versions.with_columns(pl.int_range(pl.len()).over("terminal_id").alias("version"))
in_force = newest(
    transactions.join(first_landings, on="transaction_id")
    .select("transaction_id", "terminal_id", "first_seq")
    .join(settings, on="terminal_id")
    .filter((c("landing_seq") <= c("first_seq")) | (c("version") == 0))
    .sort("transaction_id", "version"),
    "transaction_id",
).select("transaction_id", "type", "acceptance", "surcharge_enabled", "surcharge_percentage")
beside = transactions.join(in_force, on="transaction_id", how="left", suffix="_of_terminal")
surcharged = beside.filter(
    c("surcharge_cents") > 0, c("action") == "CHARGE", c("settled") | (c("approved") & (c("status") != "VOID"))
)
find("SURCHARGE_NOT_ENABLED", "transaction", surcharged.filter(~c("surcharge_enabled")), c("surcharge_cents"))
rated = surcharged.with_columns(
    (pl.coalesce("surcharge_percentage", "surcharge_percentage_of_terminal") * 10_000).cast(pl.Int64).alias("rate")
).filter(c("rate").is_not_null())
product = c("rate") * pl.max_horizontal(c("total_cents") - c("surcharge_cents"), 0)
allowed = -(-product // 1_000_000) + 1
find("SURCHARGE_OVER_RATE", "transaction", rated.filter(c("surcharge_cents") > allowed), c("surcharge_cents") - allowed)
paid_by = pl.coalesce(c("vault_type"), pl.when(c("ach_type").is_not_null()).then(pl.lit("ACH")))
find(
    "TERMINAL_TYPE_MISMATCH",
    "transaction",
    beside.filter(paid_by.is_in(["CARD", "ACH"]), c("type").is_in(["CARD", "ACH"]), paid_by != c("type")),
    c("signed_cents"),
)
find(
    "ACH_CODE_NOT_ACCEPTED",
    "transaction",
    beside.filter(
        c("ach_type").is_not_null(),
        c("acceptance").fill_null("") != "",
        c("type").fill_null("") != "CARD",
        ~c("acceptance").fill_null("").str.split(",").list.contains(c("ach_type")),
    ),
    c("signed_cents"),
)
find(
    "UNKNOWN_TERMINAL",
    "terminal",
    transactions.join(terminals, on="terminal_id", how="anti").group_by("terminal_id").agg(
        c("signed_cents").filter(c("settled") | (c("approved") & (c("status") == "CAPTURE"))).sum()
    ),
    c("signed_cents"),
)

# What is settled or open, and in no settlement.
where = transactions.join(attribution.select("transaction_id", "settlement_id"), on="transaction_id", how="left").join(
    net.filter(c("created") <= AS_OF).select("settlement_id", c("verdict").alias("place")), on="settlement_id", how="left"
)
find(
    "UNSETTLED_AGED",
    "transaction",
    where.filter(
        c("action").is_in(["CHARGE", "REFUND"]),
        "approved",
        c("status") == "CAPTURE",
        (c("place").is_null() & (c("settlement_id").is_not_null() | ~c("settled")) & (c("created") <= AS_OF))
        | ((c("place") == "NO_DATA").fill_null(False) & ~c("settled")),
        (AS_OF_DATE - c("business_date")).dt.total_days() > GIVEN["unsettled_days"],
    ),
    c("signed_cents"),
)
last_settlement = settlements.group_by("terminal_id").agg(c("created").max().alias("last_settlement"))
find(
    "ORPHAN_SETTLED",
    "transaction",
    where.join(last_settlement, on="terminal_id", how="left").filter(
        "settled", c("settlement_id").is_null(), (c("last_settlement") < c("created")).fill_null(True)
    ),
    c("signed_cents"),
)

# Events: what one observed version says and the one before did not.
steps = settlement_versions.with_columns(
    c("status").shift(1).over("settlement_id").alias("was"),
    c("net_cents").shift(1).over("settlement_id").alias("was_cents"),
    ((c("status") == "COMPLETE").cum_sum().shift(1).over("settlement_id") > 0).alias("was_complete"),
).filter(c("was").is_not_null())
change = c("net_cents") - c("was_cents")
for code, rows in (
    ("PENDING_DRIFT", steps.filter(c("was") != "COMPLETE", change != 0)),
    ("COMPLETE_CHANGED", steps.filter(c("was_complete"), change != 0)),
):
    find(code, "settlement", rows.group_by("settlement_id").agg(change.sum().alias("by")), c("by"))
find(
    "STATUS_REGRESSION",
    "settlement",
    newest(steps.filter(c("was_complete"), c("status") == "PENDING", c("was") != "PENDING"), "settlement_id"),
    c("net_cents"),
)
FACTS = ["terminal_id", "action", "status", "total_cents", *PARTS]
turns = versions.with_columns(c(*PARTS).fill_null(0)).with_columns(
    c("settled", "signed_cents", *FACTS).shift(1).over("transaction_id").name.prefix("was_")
).filter(c("was_settled").fill_null(False))
find(
    "SETTLEMENT_REVERSED",
    "transaction",
    newest(turns.filter(~c("settled")), "transaction_id"),
    c("was_signed_cents"),
)
find(
    "CHANGED_AFTER_SETTLEMENT",
    "transaction",
    turns.filter(pl.any_horizontal(c(name) != c(f"was_{name}") for name in FACTS))
    .group_by("transaction_id")
    .agg((c("signed_cents") - c("was_signed_cents")).filter(c("settled")).sum().alias("by")),
    c("by"),
)

net.select(
    "settlement_id", "verdict", "transaction_count", "charge_cents", "refund_cents", "computed_cents", "difference_cents"
).write_parquet(FOLDER / "second_net.parquet")
day.select(
    "business_date", "settlements", "reported_cents", "computed_cents", "charge_cents", "refund_cents", "transactions", "settled_cents"
).write_parquet(FOLDER / "second_day.parquet")
window.select("settlement_id", "members", "window_cents", "is_off", "is_shifted", "has_void").write_parquet(
    FOLDER / "second_window.parquet"
)
pl.concat(found).write_parquet(FOLDER / "second_finding.parquet")
