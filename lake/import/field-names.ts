/** The names under which other programs export the columns of payments, by field. */
import { importFields, type ImportList } from '../../domain/import.ts'
import { isSameName } from './plan.ts'

const CREATED =
  'created createdat createdon createdutc createdate datecreated timestamp datetime transactiondatetime transactiondate transactiontime transdate transactiontimestamp submittedat submitdate submittime datum date time'

const NAMES: Record<ImportList, Readonly<Record<string, string>>> = {
  transactions: {
    transactionId:
      'transactionid transid txnid txid transactionnumber transactionno transactionref transactionreference paymentid chargeid referenceid id reference',
    terminalId: 'terminalid terminal tid terminalnumber terminalno',
    action: 'action transactiontype transtype txntype transactionaction operation type',
    status: 'status transactionstatus transstatus txnstatus state',
    created: CREATED,
    lastModified: 'lastmodified modified modifiedat updated updatedat lastupdated',
    amountTotal:
      'amounttotal totalamount total grossamount gross transactionamount amount amt betrag',
    amountBase: 'amountbase baseamount subtotal base',
    amountTax: 'amounttax taxamount tax salestax',
    amountShipping: 'amountshipping shippingamount shipping',
    amountTip: 'amounttip tipamount tip gratuity',
    amountSurcharge: 'amountsurcharge surchargeamount surcharge',
    achType: 'achtype seccode sec',
    method: 'method entrymethod entrymode',
    invoiceNumber: 'invoicenumber invoiceno invoice',
    purchaseOrderNumber: 'purchaseordernumber ponumber purchaseorder',
    'response.approved': 'responseapproved approved isapproved',
    'response.code': 'responsecode',
    'settlement.settled': 'settlementsettled settled issettled',
    'settlement.settlementId': 'settlementsettlementid settlementid batchid settlementbatchid',
    'vault.type': 'vaulttype paymenttype tendertype',
    'vault.accountType': 'vaultaccounttype cardtype cardbrand accounttype brand',
    'vault.lastFour': 'vaultlastfour lastfour last4 cardlastfour cardlast4 lastfourdigits',
    'billing.firstName': 'billingfirstname firstname cardholderfirstname',
    'billing.lastName': 'billinglastname lastname cardholderlastname',
    'billing.address.zip': 'billingaddresszip billingzip zip zipcode postalcode postcode',
  },
  settlements: {
    settlementId: 'settlementid batchid batchnumber settlementnumber payoutid depositid id',
    terminalId: 'terminalid terminal tid terminalnumber terminalno',
    created: `${CREATED} settlementdate batchdate settledat`,
    amountNet: 'amountnet netamount net settlementamount totalamount total amount',
    status: 'status settlementstatus batchstatus state',
  },
}

const plain = (name: string) => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')

/**
 * Maps each field to the column that it probably stands in. `columns` has priority, and a column serves one field
 * only.
 */
export function likelyColumns(
  list: ImportList,
  names: readonly string[],
  columns: Readonly<Record<string, string>>,
): Map<string, string> {
  const found = new Map<string, string>()
  const taken = new Set<string>()
  const take = (field: string, name: string | undefined) => {
    if (name === undefined || found.has(field) || taken.has(name)) return
    found.set(field, name)
    taken.add(name)
  }
  const fields = importFields(list).map(([field]) => field)
  for (const field of fields) {
    const place = columns[field] ?? field
    take(
      field,
      names.find((name) => isSameName(name, place)),
    )
  }
  for (const field of fields) {
    const synonyms = NAMES[list][field]?.split(' ') ?? []
    take(
      field,
      synonyms
        .map((one) => names.find((name) => plain(name) === one && !taken.has(name)))
        .find(Boolean),
    )
  }
  return found
}
