import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectAccessible, startOwnJourney } from '../harness/journey.ts'
import { showScreen } from '../harness/open-as.ts'

// An alarm is raised by the product, told by a webhook, seen in the bell, and acknowledged there.

const journey = startOwnJourney()
const received: string[] = []
let arrived = Promise.withResolvers<void>()
const pager = createServer((request: IncomingMessage, response) => {
  let text = ''
  request.setEncoding('utf8').on('data', (part: string) => (text += part))
  request.on('end', () => {
    received.push(text)
    response.writeHead(204).end()
    arrived.resolve()
  })
})
let pagerUrl: string
beforeAll(async () => {
  pager.listen(0, '127.0.0.1')
  await once(pager, 'listening')
  pagerUrl = `http://127.0.0.1:${(pager.address() as AddressInfo).port}/alarms`
})
afterAll(() => new Promise((resolve) => pager.close(resolve)))

it('a channel is tested before it is saved, added, and tested from the list', async () => {
  const { page } = journey
  await showScreen(page, '/dashboard/admin/alarms')
  await page.getByText('No alarms', { exact: true }).waitFor()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Channels', exact: true }).click()
  await page.getByRole('link', { name: 'Add channel' }).click()
  await page.getByLabel('Name').fill('Pager')
  await page.getByRole('combobox', { name: 'Kind' }).click()
  await page.getByRole('option', { name: 'Webhook' }).click()
  await page.getByLabel('URL').fill(pagerUrl)
  await page.getByRole('button', { name: 'Send a test', exact: true }).click()
  await page.getByText('It answered 204.').waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Add channel' }).click()
  await page.getByText(/^whsec_/).waitFor()
  await page.getByRole('link', { name: 'Done' }).click()
  await page.getByRole('heading', { name: 'Edit alarm channel' }).waitFor()
  await page.getByRole('link', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Send a test to Pager' }).click()
  await page.getByText('It answered 204.').waitFor()
  expect(received.map((text) => (JSON.parse(text) as { type: string }).type)).toEqual([
    'alarm.test',
    'alarm.test',
  ])
  await expectAccessible(page)
})

it('a rule is changed, and what it raises reaches the channel and the bell', async () => {
  const { page } = journey
  arrived = Promise.withResolvers()
  await showScreen(page, '/dashboard/admin/alarm-rules?search=disk')
  await page.getByRole('link', { name: 'Edit Disk nearly full' }).click()
  await page.getByLabel('Percent').fill('100')
  await page.getByRole('button', { name: 'Save rule' }).click()
  await page.getByText('Rule saved.').waitFor()
  await arrived.promise
  expect(JSON.parse(received[2] ?? '')).toMatchObject({
    type: 'alarm.raised',
    data: { count: 1, alarms: [{ what: 'disk', rule: 'Disk nearly full' }] },
  })
  await showScreen(page, '/dashboard')
  await page.getByRole('button', { name: '1 open alarm' }).click()
  const bell = page.getByRole('region', { name: 'Alarms' })
  await bell.getByRole('link', { name: /are free in/ }).waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: /^Acknowledge/ }).click()
  await page.getByRole('button', { name: 'No open alarms' }).waitFor()
  await showScreen(page, '/dashboard/admin/alarms')
  await page.getByRole('cell').getByText('Acknowledged', { exact: true }).waitFor()
  await expectAccessible(page)
})
