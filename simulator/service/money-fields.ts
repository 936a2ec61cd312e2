/** The two ways in which the service writes money. */

/** `12.30`, from whole cents that are not negative. */
export function moneyText(cents: number): string {
  const rest = cents % 100
  return `${(cents - rest) / 100}.${rest < 10 ? '0' : ''}${rest}`
}

/** The text of a JSON number without needless zeros, such as `-12.3`. */
export function moneyNumber(cents: bigint): string {
  const size = cents < 0n ? -cents : cents
  const whole = `${cents < 0n ? '-' : ''}${size / 100n}`
  const rest = String(size % 100n)
    .padStart(2, '0')
    .replace(/0+$/, '')
  return rest === '' ? whole : `${whole}.${rest}`
}
