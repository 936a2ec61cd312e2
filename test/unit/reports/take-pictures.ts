/** Takes the pictures of docs/pictures from a pack's page: `take-pictures.ts PACK`. */
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { chromium } from 'playwright-core'

const FOLDER = join('docs', 'pictures')

export async function main(): Promise<number> {
  const pack = resolve(process.argv.at(-1) ?? '')
  mkdirSync(FOLDER, { recursive: true })
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox'],
  })
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 820 } })
    await page.goto(`file://${join(pack, 'summary.html')}`)
    const take = async (name: string): Promise<void> => {
      await page.screenshot({ path: join(FOLDER, `${name}.png`) })
    }
    await take('summary')
    for (const section of ['differences', 'pending']) {
      await page.evaluate(`document.getElementById('${section}').scrollIntoView()`)
      await take(section)
    }
    await page.setViewportSize({ width: 390, height: 844 })
    await page.evaluate('scrollTo(0, 0)')
    await take('summary-narrow')
  } finally {
    await browser.close()
  }
  return 0
}
