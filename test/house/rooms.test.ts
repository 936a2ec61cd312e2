/**
 * Goal: a person understands a folder without the folders above it. Method: the imports of all product files, as a
 * graph.
 */
import { dirname, join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'
import { projectFiles } from './project-files.ts'

const TOPS = [
  ...['activities', 'api', 'cli', 'domain', 'lake', 'queries'],
  ...['reports', 'simulator', 'web', 'workers', 'workflows'],
]

type Graph = ReadonlyMap<string, readonly string[]>

function imports(): Graph {
  const files = TOPS.flatMap((top) => projectFiles(top)).filter(({ path }) => /\.tsx?$/.test(path))
  return new Map(
    files.map(({ path, text }) => {
      const named = [...text.matchAll(/(?:from|import\() ?'(\.[^']+\.tsx?)'/g)]
      return [path, named.map(([, to = '']) => normalize(join(dirname(path), to)))]
    }),
  )
}

/** `lake/run` of `lake/run/models.ts`, and `lake` of a file that stands in no room of it. */
function roomsOf(graph: Graph): Graph {
  const rooms = new Map<string, string[]>()
  for (const [file, targets] of graph) {
    const others = targets.map((to) => dirname(to)).filter((room) => room !== dirname(file))
    rooms.set(dirname(file), [...(rooms.get(dirname(file)) ?? []), ...others])
  }
  return rooms
}

/** The nodes that can be reached from themselves. */
function circles(graph: Graph): string[] {
  return [...graph.keys()].filter((start) => {
    const seen = new Set<string>()
    const open = [...(graph.get(start) ?? [])]
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (node === start) return true
      if (seen.has(node)) continue
      seen.add(node)
      open.push(...(graph.get(node) ?? []))
    }
    return false
  })
}

test('a circle of two nodes is found', () => {
  const graph = new Map([
    ['a', ['b']],
    ['b', ['a']],
    ['c', ['a']],
  ])
  expect(circles(graph)).toEqual(['a', 'b'])
})

describe('imports', () => {
  test('no file imports itself by way of others', () => {
    expect(circles(imports())).toEqual([])
  })

  test('no folder imports itself by way of others', () => {
    expect(circles(roomsOf(imports()))).toEqual([])
  })
})
