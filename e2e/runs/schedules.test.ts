import { beforeAll, expect, it } from 'vitest'
import { expectAccessible, rowOf, toast } from '../harness/journey.ts'
import { showScreen } from '../harness/open-as.ts'
import { signIn, type Call } from '../harness/run-product.ts'
import { startTaxJourney } from '../harness/tax-journey.ts'

// A schedule is made for a workflow, fires on its own, and leads to its run; another fetches a list.

const journey = startTaxJourney()
let call: Call
let workflowId: number
beforeAll(async () => {
  call = await signIn(journey.url)
  const made = await call('POST', '/api/workflows', {
    name: 'Daily figures',
    slug: 'daily',
    kind: 'general',
    status: 'active',
    reference_path: 'reference',
    sample_input: { reference: 'DAY-1', total: 10, kind: 'vat' },
    lane: { name: 'daily' },
    steps: [
      {
        endpoint_id: journey.endpoints['Strict authority'],
        body: {
          kind: 'template',
          text: '{"reference":"{{input.reference}}","total":"{{input.total}}","kind":"{{input.kind}}"}',
        },
      },
    ],
  })
  if (made.status !== 201) throw new Error(JSON.stringify(made.body))
  workflowId = (made.body as { id: number }).id
})

it('a schedule says what it means and when it fires next while it is typed', async () => {
  const { page } = journey
  await showScreen(page, `/dashboard/admin/workflows/${workflowId}`)
  await page.getByText('No schedules yet').waitFor()
  await page.getByRole('link', { name: 'New schedule' }).click()
  // The screen before has a field of this name too, and stays until this one is loaded.
  await page.getByRole('heading', { name: 'New schedule' }).waitFor()
  await page.getByLabel('Name').fill('Every morning')
  await page.getByLabel('Time zone', { exact: true }).first().fill('Asia/Riyadh')
  await page.getByRole('option', { name: 'Asia/Riyadh' }).click()
  await page.getByLabel('Cron expression').fill('0 0 6 * * *')
  await page.getByText('Use five fields: seconds are not supported.').waitFor()
  await page.getByLabel('Cron expression').fill('30 5 * * 1-5')
  await page.getByText('Monday to Friday at 05:30, Asia/Riyadh').waitFor()
  const times = page.getByRole('list', { name: 'Next moments' }).getByRole('listitem')
  await times.nth(4).waitFor()
  expect(await times.first().innerText()).toMatch(/5:30/)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Create schedule' }).click()
  await toast(page, 'Schedule created successfully!')
  await page.getByText('It has not fired yet').waitFor()
  await expectAccessible(page)
})

it('fires, and its firing leads to the run', async () => {
  const { page, authority } = journey
  await page.getByRole('button', { name: 'Run now' }).click()
  await toast(page, 'The schedule fires now.')
  const firing = rowOf(page, 'by hand')
  await firing.getByText('Done', { exact: true }).waitFor()
  await firing.getByRole('link', { name: '1 started' }).click()
  await page.getByRole('heading', { name: /Runs|History/ }).waitFor()
  await rowOf(page, 'DAY-1').waitFor()
  await expect.poll(() => authority.stored.get('/strict')?.length).toBe(1)
})

it('a list that is no list is named before anything is saved', async () => {
  const { page } = journey
  await showScreen(page, `/dashboard/admin/workflows/${workflowId}/schedules/new`)
  await page.getByLabel('Name').fill('New invoices')
  await page.getByLabel('A run for each new element of a list').check()
  await page.getByRole('button', { name: 'Create schedule' }).click()
  await page.getByText('Choose an endpoint.').waitFor()
  await expectAccessible(page)
})

it('is paused, resumed and deleted', async () => {
  const { page } = journey
  await showScreen(page, `/dashboard/admin/workflows/${workflowId}`)
  await page.getByRole('link', { name: 'Every morning' }).click()
  await page.getByRole('button', { name: 'Pause' }).click()
  await toast(page, 'Schedule paused.')
  await page.getByRole('button', { name: 'Resume' }).click()
  await toast(page, 'Schedule resumed.')
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete schedule' }).click()
  await page.getByText('No schedules yet').waitFor()
})
