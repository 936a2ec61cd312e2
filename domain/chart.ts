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
