import { expect, test } from 'vitest'
import { ofOtherRange, SETTLEMENT_COLUMNS, SETTLEMENTS } from '../../../web/pages/settlements.tsx'
import { addTransactions } from '../../../web/pages/transactions.tsx'
import { addList } from '../../../web/parts/console.tsx'
import { pagesOver } from './small-views.ts'

const SETTLED = `
  create table settlements (account varchar, "settlementId" bigint, "terminalId" bigint, "terminalName" varchar,
    created timestamp, "businessDate" date, verdict varchar, certificate varchar, explanation varchar,
    "reportedNet" decimal(18, 2), "computedNet" decimal(18, 2), difference decimal(18, 2));
  insert into settlements values
    ('acme', 1, 7, 'Till', '2026-11-01', '2026-11-01', 'TIED', 'UNIQUE', '', 10.00, 10.00, 0.00);`

test('a settlement is found by its id, also outside of the range of the newest run', async () => {
  const page = await pagesOver(SETTLED, (app, console) =>
    addList(app, console, {
      ...{ title: 'Settlements', caption: 'Settlements', spec: SETTLEMENTS },
      ...{ columns: SETTLEMENT_COLUMNS, remark: ofOtherRange },
    }),
  )
  expect(await page('/settlements?id=1')).toContain('<a href="/settlements/1">')
  expect(await page('/settlements?id=1')).not.toContain('in all records')
  expect(await page('/settlements?id=2')).toContain(
    '<a href="/settlements/2">Look for 2 in all records</a>',
  )
})

const PLACED = `
  create table transactions (account varchar, "transactionId" bigint, created timestamp, action varchar, status varchar,
    approved boolean, settled boolean, "amountTotal" decimal(18, 2), "terminalId" bigint, "invoiceNumber" varchar,
    "purchaseOrderNumber" varchar, "lastFour" varchar);
  insert into transactions values
    ('acme', 5, '2026-10-12', 'CHARGE', 'CAPTURE', true, true, 15.55, 7, null, null, null),
    ('acme', 6, '2026-11-01', 'CHARGE', 'CAPTURE', true, true, 10.00, 7, null, null, null);
  create table attributions (account varchar, "transactionId" bigint, "settlementId" bigint, method varchar);
  insert into attributions values ('acme', 6, 1, 'WINDOW');
  create table unsettled (account varchar, "transactionId" bigint, bucket varchar);
  create table publications (account varchar, "runId" varchar, "publishedAt" timestamp);
  insert into publications values ('acme', 'october', '2026-11-02'), ('acme', 'november', '2026-12-02');
  create schema every_run;
  create table every_run.attributions (account varchar, "runId" varchar, "transactionId" bigint, "settlementId" bigint);
  insert into every_run.attributions values ('acme', 'october', 5, 2), ('acme', 'withheld', 5, 3);`

test('a transaction of an earlier range leads to its settlement in the pack of that range', async () => {
  const page = await pagesOver(PLACED, addTransactions)
  const text = (await page('/transactions?id=5')).replaceAll(/<[^>]+>/g, '')
  expect(text).toContain('In pack october the transaction 5 is in settlement 2.')
  expect(await page('/transactions?id=6')).not.toContain('In pack')
})
