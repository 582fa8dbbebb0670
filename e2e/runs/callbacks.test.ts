import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectAccessible, toast } from '../harness/journey.ts'
import { openFromMenu } from '../harness/open-browser.ts'
import { startTaxJourney } from '../harness/tax-journey.ts'

// A workflow reports to a URL; what was sent is on the screen of deliveries. Another system starts it.

const journey = startTaxJourney()
const received: { type: string; signature: string }[] = []
let status = 204
const receiver = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const { type } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { type: string }
    received.push({ type, signature: String(request.headers['webhook-signature']) })
    response.writeHead(status).end()
  })
})
beforeAll(async () => {
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
})
afterAll(() => receiver.close())

it('a callback is set, tested, given up and sent again', async () => {
  const { page } = journey
  await openFromMenu(page, 'Workflows')
  await page.getByRole('link', { name: 'Add workflow' }).click()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Reports')
  await page.getByRole('button', { name: /^Step 1/ }).click()
  const step = page.getByRole('region', { name: 'Step 1', exact: true })
  await step.getByRole('combobox', { name: 'Endpoint' }).click()
  await page.getByRole('option', { name: 'File an invoice' }).last().click()
  await page.getByRole('button', { name: 'Create workflow' }).click()
  await page.waitForURL(/workflows\/\d+#call-it$/)

  await page.getByText('Callback', { exact: true }).click()
  await page.getByRole('link', { name: 'Set a callback' }).click()
  const { port } = receiver.address() as AddressInfo
  const host = `127.0.0.1:${port}`
  await page.getByRole('textbox', { name: 'URL' }).fill(`http://${host}/in`)
  await page.getByRole('button', { name: 'Save callback' }).click()
  await toast(page, 'The callback is saved.')
  await page.getByText(/^whsec_/).waitFor()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Done' }).click()
  await page.locator('summary').filter({ hasText: 'Callback' }).click()

  status = 410
  await page.getByRole('button', { name: 'Send a test' }).click()
  await page.getByRole('link', { name: 'Deliveries of this workflow' }).click()
  await page.getByRole('table').getByText('Given up', { exact: true }).waitFor()
  expect(received[0]).toMatchObject({ type: 'test', signature: expect.stringMatching(/^v1,/) })
  await expectAccessible(page)

  status = 204
  await page.getByRole('link', { name: /· test$/ }).click()
  await page.getByText('This delivery was given up').waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Send again' }).click()
  await page.getByText('Delivered', { exact: true }).waitFor()
  expect(received).toHaveLength(2)
})

it('a webhook is added, and a signed message starts a run', async () => {
  const { page, url } = journey
  await openFromMenu(page, 'Workflows')
  await page.getByRole('link', { name: 'Reports', exact: true }).click()
  await page.getByText('Webhooks', { exact: true }).click()
  await page.getByText('No webhook starts this workflow yet.').waitFor()
  await page.getByRole('link', { name: 'Add webhook' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('x')
  await page.getByRole('combobox', { name: 'Signed as' }).click()
  await page.getByRole('option', { name: 'GitHub' }).click()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save webhook' }).click()
  await page.getByText(/The name takes 3 to 60/).waitFor()
  await page.getByRole('textbox', { name: 'Name' }).fill('the-shop')
  await page.getByRole('button', { name: 'Save webhook' }).click()
  const secret = await page.getByText(/^[0-9a-f]{64}$/).innerText()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Done' }).click()
  await page.getByText('Webhooks', { exact: true }).click()
  const hook = page.getByRole('region', { name: 'Webhook the-shop' })
  await hook.getByText('never').waitFor()
  await expectAccessible(page)

  const body = '{"id":1}'
  const sign = createHmac('sha256', secret).update(body).digest('hex')
  const receive = (signature: string) =>
    fetch(`${url}/hooks/the-shop`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-hub-signature-256': signature },
      body,
    })
  expect((await receive(`sha256=${'0'.repeat(64)}`)).status).toBe(401)
  expect((await receive(`sha256=${sign}`)).status).toBe(202)
  await page.reload()
  await page.getByText('Webhooks', { exact: true }).click()
  await hook.getByText('The signature does not fit.').waitFor()
  expect(await hook.getByText('never').count()).toBe(0)
})

it('what is changed of a webhook is asked about before it is lost, and saved', async () => {
  const { page } = journey
  await openFromMenu(page, 'Workflows')
  await page.getByRole('link', { name: 'Reports', exact: true }).click()
  await page.getByText('Webhooks', { exact: true }).click()
  const hook = page.getByRole('region', { name: 'Webhook the-shop' })
  await hook.getByText('Active').waitFor()
  await hook.getByRole('link', { name: 'Edit the-shop' }).click()
  await page.getByRole('checkbox', { name: /^Paused/ }).check()
  await page.getByRole('link', { name: 'Cancel' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Stay' }).click()
  await page.getByRole('button', { name: 'Save webhook' }).click()
  await toast(page, 'The webhook is saved.')
  await page.waitForURL(/workflows\/\d+$/)
  await page.getByText('Webhooks', { exact: true }).click()
  await hook.getByText('Paused').waitFor()
})
