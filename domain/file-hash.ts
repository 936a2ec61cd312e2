/** The hash of a file on a local disk. */
import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'

const PIECE_BYTES = 1 << 20

/** Returns the SHA-256 of the file's bytes in hex. Throws the system's error if it can't be read. */
export async function sha256OfFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  const handle = await open(path, 'r')
  try {
    // A stream allocates a whole piece even for a short file, and Node then spends a third of its time on garbage.
    const piece = Buffer.allocUnsafe(Math.min(PIECE_BYTES, (await handle.stat()).size + 1))
    for (;;) {
      const { bytesRead } = await handle.read(piece, 0, piece.length)
      if (bytesRead === 0) return hash.digest('hex')
      hash.update(piece.subarray(0, bytesRead))
    }
  } finally {
    await handle.close()
  }
}
