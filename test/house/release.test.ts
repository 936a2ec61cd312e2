/** Goal: all files of a release name the same version. Method: each is read and compared with package.json. */
import { expect, test } from 'vitest'
import { readProject } from './project-files.ts'

const { version } = JSON.parse(readProject('package.json')) as { version: string }

test('the newest entry of the changelog is unreleased, or the version of the package', () => {
  const [, newest = ''] = /^## (\S+)/m.exec(readProject('CHANGELOG.md')) ?? []
  expect(['Unreleased', version]).toContain(newest)
})

test('docker-compose.yml runs the image of this version', () => {
  const images = [...readProject('docker-compose.yml').matchAll(/image: tieout:(\S+)/g)]
  expect(images.map(([, tag]) => tag)).toEqual([version])
})
