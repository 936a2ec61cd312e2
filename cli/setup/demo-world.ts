/** The size of the demo's world, and its folders. */
import { join } from 'node:path'

/** The first night sees a little over 200,000 transactions on 40 terminals over 14 months. */
export const WORLD = { seed: 7, terminals: 40, transactions: 204_000, days: 426 }

export const FOLDERS = { lake: join('data', 'demo'), out: join('out', 'demo') }

export type Folders = typeof FOLDERS
