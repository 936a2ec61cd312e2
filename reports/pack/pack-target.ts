/** The place that takes packs: folders of this machine, or an object store. */
import type { ManifestFile } from './manifest.ts'

/** A pack that lies complete in a local folder, and is not published yet. */
export interface MadePack {
  /** The local folder. */
  made: string
  files: readonly ManifestFile[]
}

/** `pack` is always the whole path or address of a pack, as `packFolder` gives it. */
export interface PackTarget {
  /** Returns the manifest of what lies there, empty if there is none; undefined for a free place. */
  manifestAt(pack: string): Promise<string | undefined>
  /** Throws would_overwrite if something of another program stands where `latest` would go. */
  refuseForeignLatest(pack: string): Promise<void>
  /** Makes the local folder in which the pack is written. */
  begin(pack: string): Promise<string>
  /**
   * Publishes the pack whole or not at all. Throws would_overwrite if there is any pack, also the same one, and the
   * signal's reason.
   */
  publish(pack: string, made: MadePack, signal?: AbortSignal): Promise<void>
  /** Removes a pack, so that it is whole or absent for every reader. */
  withdraw(pack: string): Promise<void>
  /** Returns the name that `latest` has beside this pack, whether that pack is there or not; undefined without one. */
  latestBeside(pack: string): Promise<string | undefined>
  /** Points `latest` at a pack, in one step. */
  pointLatestAt(pack: string): Promise<void>
  /** Returns the first pack that is there. */
  firstPack(packs: Iterable<string>): Promise<string | undefined>
}
