/** A settlement, field by field. */
import { type Moment, reportedAt, settlementStatusAt } from '../world/moment.ts'
import { itemAt } from '../world/random.ts'
import { instantText } from '../world/time.ts'
import { moneyNumber } from './money-fields.ts'

/** JSON text; ids and amountNet are written digit by digit, never through a double. */
export function settlementJson(moment: Moment, place: number): string {
  const { world } = moment
  const settlement = itemAt(world.settlements, place)
  const { id } = itemAt(world.terminals, settlement.terminal)
  const created = instantText(settlement.created)
  const status = settlementStatusAt(moment, place)
  return (
    `{"settlementId":${settlement.id},"terminalId":${id},"created":"${created}",` +
    `${amountNet(moment, place)}"status":"${status}"}`
  )
}

function amountNet(moment: Moment, place: number): string {
  const { malformed } = itemAt(moment.world.settlements, place)
  if (malformed === 'missing') return ''
  const reported = reportedAt(moment, place)
  if (malformed === undefined) return `"amountNet":${moneyNumber(reported)},`
  const size = reported < 0n ? -reported : reported
  const decimals = `${String(size % 100n).padStart(2, '0')}5`
  return `"amountNet":${reported < 0n ? '-' : ''}${size / 100n}.${decimals},`
}
