import { expect, test } from 'vitest'
import { addTerminals } from '../../../web/pages/terminals.tsx'
import { pagesOver } from './small-views.ts'

const VIEWS = `
  create table terminals (account varchar, "terminalId" bigint, "terminalName" varchar, type varchar,
    "merchantNumber" varchar, "companyDba" varchar, versions bigint);
  insert into terminals values ('acme', 7, 'Till', 'CARD', '1', 'Shop', 1);
  create table settlements (account varchar, "settlementId" bigint, "terminalId" bigint, "businessDate" date,
    verdict varchar, "reportedNet" decimal(18, 2), "computedNet" decimal(18, 2), difference decimal(18, 2));
  insert into settlements values
    ('acme', 1, 7, '2026-10-01', 'TIED', 10.00, 10.00, 0.00),
    ('acme', 2, 7, '2026-10-01', 'EXPLAINED', 50.00, 45.00, -5.00),
    ('acme', 3, 7, '2026-10-02', 'BREAK', 20.00, 22.50, 2.50),
    ('acme', 4, 7, '2026-10-02', 'PENDING', 100.00, 19.47, -80.53);
  create table exceptions (account varchar, "exceptionId" varchar, code varchar, "subjectType" varchar,
    "subjectId" varchar, "terminalId" bigint, amount decimal(18, 2), "ageDays" int, state varchar);
  create table unsettled (account varchar, "terminalId" bigint, bucket varchar, action varchar,
    "amountTotal" decimal(18, 2), "signedAmount" decimal(18, 2));`

test("a terminal's differences are those of the summary, without PENDING settlements", async () => {
  const page = await pagesOver(VIEWS, addTerminals)
  expect((await page('/terminals.csv')).split('\r\n')[1]).toBe('7,Till,CARD,4,2,7.50')
  const text = (await page('/terminals/7')).replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')
  // Business day, settlements, reported, computed, gross, not judged.
  expect(text).toContain('2026-10-01 2 60.00 55.00 5.00 0.00')
  expect(text).toContain('2026-10-02 2 20.00 22.50 2.50 100.00')
})
