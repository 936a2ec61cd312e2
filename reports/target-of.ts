/** Chooses the place for packs by their address. */
import { isObjectAddress } from '../domain/object-address.ts'
import { assert } from '../domain/failure.ts'
import type { OpenStore } from '../domain/settings.ts'
import { firstPack, pointLatestAt, refuseForeignLatest } from './pack/latest-link.ts'
import { createPartial, folderManifest, publish, withdrawPack } from './pack/pack-folder.ts'
import type { PackTarget } from './pack/pack-target.ts'
import { storeTarget } from './store/store-target.ts'

const FOLDERS: PackTarget = {
  manifestAt: folderManifest,
  refuseForeignLatest,
  begin: createPartial,
  publish: (pack, { made }, signal) => publish(made, pack, signal),
  withdraw: withdrawPack,
  pointLatestAt,
  firstPack,
}

export function targetOf({ out, packStore }: { out: string; packStore?: OpenStore }): PackTarget {
  if (!isObjectAddress(out)) return FOLDERS
  assert(packStore !== undefined, 'packs at an address have a store')
  return storeTarget(packStore)
}
