/** The closed list of reasons why the certificate of a settlement is AMBIGUOUS, as the model certificate_reason names them. */
export const CERTIFICATE_REASONS = [
  'BESIDE_BREAK',
  'CHANCE',
  'CONTRADICTED_BY_OBSERVATION',
  'LAST_SETTLEMENT',
  'MANUAL_DECISION',
  'OTHER_BEGINNING',
  'OTHER_CUTOFFS',
  'OTHER_END',
  'OTHER_SHIFT',
  'OTHER_TERMINAL',
  'SAME_CENTS',
  'SHIFT_BESIDE_BREAK',
  'SHIFT_OPTIONS',
  'SWAP',
] as const

export type CertificateReasonCode = (typeof CERTIFICATE_REASONS)[number]
