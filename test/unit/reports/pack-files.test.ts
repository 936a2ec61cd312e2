import { expect, test } from 'vitest'
import { headerOf, PACK_FILES } from '../../../reports/pack/pack-files.ts'

/** Written down a second time on purpose: these names are a promise to programs that read the pack. */
const PROMISED: [string, string][] = [
  [
    'settlements.csv',
    'account,settlementId,terminalId,terminalName,created,businessDate,status,reportedNet,computedNet,difference,verdict,method,certificate,transactionCount,chargeCount,chargeTotal,refundCount,refundTotal,cutoff,explanation,explainedAmount,unexplainedAmount,explainedBy,firstSeen,lastChanged',
  ],
  [
    'attributions.csv',
    'account,transactionId,settlementId,terminalId,created,action,status,amountTotal,signedAmount,method',
  ],
  [
    'exceptions.csv',
    'account,exceptionId,code,severity,certainty,subjectType,subjectId,terminalId,amount,detail,firstSeen,lastSeen,ageDays,state,stateBy,stateReason,assignee',
  ],
  [
    'worklist.csv',
    'account,rank,subjectType,subjectId,terminalId,terminalName,amount,since,ageDays,certainty,cause,askWhom,nextStep,assignee,exceptionIds',
  ],
  [
    'pending.csv',
    'account,settlementId,terminalId,created,observedAt,status,reportedNet,change,hoursPending',
  ],
  [
    'refund_ceiling.csv',
    'account,transactionId,terminalId,created,cardKey,refundAmount,chargedCoarse,chargedFine,refundedBefore,certainty,historyFrom',
  ],
  [
    'unsettled.csv',
    'account,transactionId,terminalId,created,action,status,amountTotal,signedAmount,ageDays,bucket,lastObserved',
  ],
  [
    'rollforward.csv',
    'account,terminalId,date,openingUnsettled,charges,refunds,voids,settled,closingUnsettled',
  ],
  ['control_totals.csv', 'check,expected,actual,difference,pass'],
  [
    'sweeps.csv',
    'account,list,terminalId,startedAt,endedAt,pages,records,newVersions,quarantined,rewinds,requests,throttled,certificate,bodiesSha256',
  ],
  [
    'accounting/journal.csv',
    'entryId,date,period,account,accountName,debit,credit,currency,memo,settlementId,terminalId,source',
  ],
]

test('the files of the pack, their order and their columns are the documented ones', () => {
  expect(PACK_FILES.map((packFile) => [packFile.name, headerOf(packFile)])).toEqual(PROMISED)
})

test('every sum and balance names columns of money', () => {
  for (const { name, columns, adds, balances } of PACK_FILES) {
    for (const column of [...adds.flat(), ...(balances ?? [])]) {
      const found = columns.find((candidate) => candidate.name === column.replace('-', ''))
      expect([name, column, found?.kind]).toEqual([name, column, 'money'])
    }
  }
})
