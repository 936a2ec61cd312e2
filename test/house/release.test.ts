/** Goal: all files of a release name the same version. Method: each is read and compared with package.json. */
import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { tempFolder } from '../support/temp-lake.ts'
import { readProject, ROOT } from './project-files.ts'

const { version } = JSON.parse(readProject('package.json')) as { version: string }

test('the newest entry of the changelog is unreleased, or the version of the package', () => {
  const [, newest = ''] = /^## (\S+)/m.exec(readProject('CHANGELOG.md')) ?? []
  expect(['Unreleased', version]).toContain(newest)
})

test('docker-compose.yml runs the image of this version', () => {
  const images = [...readProject('docker-compose.yml').matchAll(/image: tieout:(\S+)/g)]
  expect(images.map(([, tag]) => tag)).toEqual([version])
})

test('the release script makes the package, its bill of materials and their hashes, and names each fault', () => {
  const folder = tempFolder()
  const script = join(ROOT, 'deploy/release.sh')
  const run = spawnSync(script, ['--dry-run', folder], { encoding: 'utf8' })
  expect({ status: run.status, error: run.status === 0 ? '' : run.stderr }).toMatchObject({
    status: 0,
  })
  if (/^## Unreleased/m.test(readProject('CHANGELOG.md'))) {
    expect(run.stderr).toContain(`no release: CHANGELOG.md has no entry for ${version}`)
  }
  const files = [`tieout-${version}.sbom.json`, `tieout-${version}.tgz`]
  expect(readdirSync(folder).sort()).toEqual(['SHA256SUMS', ...files])
  execFileSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: folder, stdio: 'pipe' })
  const Bill = z.object({ components: z.array(z.object({ name: z.string() })) })
  const bill = Bill.parse(JSON.parse(readFileSync(join(folder, files[0] ?? ''), 'utf8')))
  const names = bill.components.map(({ name }) => name)
  const { dependencies } = JSON.parse(readProject('package.json')) as { dependencies: object }
  expect(Object.keys(dependencies).filter((name) => !names.includes(name))).toEqual([])
  expect(names).toContain('@temporalio/core-bridge')
  // Inside dist/libraries, and vendored.
  for (const name of ['echarts', 'zrender', 'apache-arrow', '@aws-sdk/client-s3', 'htmx.org']) {
    expect(names).toContain(name)
  }
  expect(names).not.toContain('vitest')
  expect(names).not.toContain('@temporalio/testing')
})

/** A clone whose files name the version, and whose continuous integration fails; it has the script of this moment. */
function cloneThatFails(): string {
  const folder = join(tempFolder(), 'clone')
  execFileSync('git', ['clone', '--quiet', '--no-tags', '--depth=1', `file://${ROOT}`, folder], {
    stdio: 'pipe',
  })
  copyFileSync(join(ROOT, 'deploy/release.sh'), join(folder, 'deploy/release.sh'))
  for (const name of ['CHANGELOG.md', 'package.json', 'docker-compose.yml']) {
    const text = readProject(name).replace('## Unreleased', `## ${version} (today)`)
    writeFileSync(join(folder, name), text)
  }
  writeFileSync(join(folder, '.ci/run'), "#!/bin/sh\necho '5 passed, 1 failed' >&2\nexit 1\n")
  const git = (...words: string[]) => execFileSync('git', words, { cwd: folder, stdio: 'pipe' })
  git('checkout', '--quiet', '-B', 'main')
  git(
    '-c',
    'user.name=A',
    '-c',
    'user.email=a@example.com',
    'commit',
    '--quiet',
    '-am',
    'a release',
  )
  return folder
}

/**
 * A path with the programs that the script calls before the tests, and no other. The user is root, and apt-get is there
 * in name.
 */
function pathWith(...more: readonly string[]): string {
  const folder = tempFolder()
  const pretend = (name: string, does: string) =>
    writeFileSync(join(folder, name), `#!/bin/sh\n${does}\n`, { mode: 0o755 })
  for (const name of ['bash', 'dirname', 'git', 'grep']) {
    const found = execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' })
    symlinkSync(found.trim(), join(folder, name))
  }
  symlinkSync(process.execPath, join(folder, 'node'))
  pretend('id', 'echo 0')
  for (const name of ['apt-get', ...more]) pretend(name, 'exit 1')
  return folder
}

test('a fault of continuous integration stops a release before its tag, and so does the lack of helm', () => {
  const folder = cloneThatFails()
  const released = (path: string) =>
    spawnSync(join(folder, 'deploy/release.sh'), [], {
      encoding: 'utf8',
      env: { HOME: folder, PATH: path },
    })
  const { version: node } = process
  for (const [path, said] of [
    [pathWith(), 'no release: helm is not here, so that no test renders the chart\n'],
    [
      pathWith('helm'),
      node.startsWith('v20.')
        ? '5 passed, 1 failed\n'
        : `no release: the tests of a release need Node 20, and this is Node ${node}\n`,
    ],
  ] as const) {
    const { status, stderr } = released(path)
    expect([status, stderr]).toEqual([1, said])
  }
  const all = execFileSync('git', ['tag', '--list'], { cwd: folder, encoding: 'utf8' })
  expect(all).toBe('')
  expect(readdirSync(folder)).not.toContain('release')
})

test('the release script refuses an unknown option', () => {
  const { status, stderr } = spawnSync(join(ROOT, 'deploy/release.sh'), ['--now'], {
    encoding: 'utf8',
  })
  expect([status, stderr]).toEqual([2, 'usage: deploy/release.sh [--dry-run FOLDER]\n'])
})
