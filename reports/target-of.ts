/** Chooses the place for packs by their address. */
import { isObjectAddress } from '../domain/object-address.ts'
import { assert } from '../domain/failure.ts'
import { firstPack, latestBeside, pointLatestAt, refuseForeignLatest } from './pack/latest-link.ts'
import { OWN_FILES, setModes } from './pack/modes.ts'
import {
  createPartial,
  folderManifest,
  publish,
  withdrawPack,
  type PackPlace,
} from './pack/pack-folder.ts'
import type { PackTarget } from './pack/pack-target.ts'
import { storeTarget } from './store/store-target.ts'

const folders = (fileMode = OWN_FILES): PackTarget => ({
  manifestAt: folderManifest,
  refuseForeignLatest,
  begin: (pack) => createPartial(pack, fileMode),
  publish: async (pack, { made }, signal) => {
    await setModes(made, fileMode)
    await publish(made, pack, signal)
  },
  withdraw: withdrawPack,
  latestBeside,
  pointLatestAt,
  firstPack,
})

type Place = Pick<PackPlace, 'out' | 'packMode' | 'packStore'>

export function targetOf({ out, packStore, packMode }: Place): PackTarget {
  if (!isObjectAddress(out)) return folders(packMode)
  assert(packStore !== undefined, 'packs at an address have a store')
  return storeTarget(packStore)
}
