/** The chart of accounts for the journal; the configuration can replace every name. */
export const DEFAULT_CHART = {
  clearing: { account: '1100', name: 'Processor clearing' },
  cash_in_transit: { account: '1110', name: 'Cash in transit' },
  suspense: { account: '1190', name: 'Settlement variance suspense' },
  unallocated: { account: '1195', name: 'Unallocated amounts' },
  tax: { account: '2100', name: 'Sales tax payable' },
  tips: { account: '2110', name: 'Tips payable' },
  sales: { account: '4000', name: 'Sales' },
  shipping: { account: '4010', name: 'Shipping income' },
  surcharge: { account: '4020', name: 'Surcharge income' },
  refunds: { account: '4090', name: 'Refunds' },
} as const satisfies Record<string, { account: string; name: string }>

export type ChartKey = keyof typeof DEFAULT_CHART

export const CHART_KEYS = Object.keys(DEFAULT_CHART) as readonly ChartKey[]

export const isChartKey = (key: string): key is ChartKey => Object.hasOwn(DEFAULT_CHART, key)

/** The amounts in each account of the chart. */
export const CHART_USES: Readonly<Record<ChartKey, string>> = {
  clearing: 'card amounts that are not in a COMPLETE settlement yet',
  cash_in_transit: 'settled amounts that have not reached the bank',
  suspense: 'differences that wait for an explanation',
  unallocated: 'the rest of a total that its known parts leave over',
  tax: 'sales tax, owed to the state',
  tips: 'tips, owed to the staff',
  sales: 'income without tax, tips, shipping and surcharge',
  shipping: 'income from shipping',
  surcharge: 'income from card surcharges',
  refunds: 'refunds without tax, tips, shipping and surcharge',
}
