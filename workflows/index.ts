export { nightly } from './nightly.ts'
export { publish } from './publish.ts'
export { reconcile } from './reconcile.ts'
export { sweep } from './sweep.ts'
