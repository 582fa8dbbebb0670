import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newPage, signInOnPage } from '../harness/open-browser.ts'
import { sharedBrowser } from '../harness/shared/browser.ts'
import { runTutorialCommand, tutorialCommands, tutorialPictures } from './tutorial-page.ts'
import { settleLostInvoice, walkTutorial } from './walk-tutorial.ts'

// `npm run demo` prints where it is and ends clean, and docs/tutorial.md can be followed to its end.

const file = fileURLToPath(new URL('run-demo.ts', import.meta.url))

let demo: ChildProcess
let printed = ''
const after = (name: string) => new RegExp(`^ *${name} +(\\S.*)$`, 'm').exec(printed)?.[1] ?? ''
let page: Page
let token: string

beforeAll(async () => {
  demo = spawn(process.execPath, [file, '--any-port'], { stdio: ['ignore', 'pipe', 'inherit'] })
  for await (const line of createInterface(demo.stdout!)) {
    printed += `${line}\n`
    if (line.includes('Ctrl-C')) break
  }
  const opened = await newPage(await sharedBrowser(), after('Dashboard'))
  page = opened.page
})
afterAll(async () => {
  await page?.context().close()
  demo.kill('SIGKILL')
})

it('the demo prints a sign-in that works, and the dashboard is followed as the page says', async () => {
  await signInOnPage(page, after('sign in'), after('password'))
  token = await walkTutorial(page, authorityUrl())
  expect(token).toMatch(/^ghp_/)
})

it('its commands print what the page says', async () => {
  const here = { dashboardUrl: after('Dashboard'), authorityUrl: authorityUrl(), token }
  const answers: string[] = []
  for (const command of tutorialCommands) answers.push(await runTutorialCommand(command, here))
  const [sent, again, filed, refused, lost, lostAgain] = answers
  expect(sent).toContain('"state":"succeeded"')
  expect(again).toBe(sent)
  expect(filed).toContain('"number":"SHOP-1"')
  expect(refused).toContain('"state":"rejected"')
  expect(lost).toContain('"code":"run.unknown"')
  expect(lostAgain).toContain('"code":"run.unresolved"')
})

it('the lost invoice is settled by hand', () => settleLostInvoice(page))

it('every picture of the page is there', () => {
  const pictures = new URL('../../docs/images/tutorial/', import.meta.url)
  expect(tutorialPictures.length).toBeGreaterThan(4)
  const missing = tutorialPictures.filter((name) => !existsSync(new URL(`${name}.png`, pictures)))
  expect(missing).toEqual([])
})

it('ends clean on Ctrl-C', async () => {
  demo.kill('SIGINT')
  const [code] = (await once(demo, 'exit')) as [number]
  expect(code).toBe(0)
})

const authorityUrl = () => after('Authority').replace(/\/invoices.*$/, '')
