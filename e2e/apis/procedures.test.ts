import mysql from 'mysql2/promise'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { foundPrograms } from '../../scripts/set-up/programs.mjs'
import { startMariadb } from '../../scripts/databases/throwaway-mariadb.mjs'
import { expectAccessible, startJourney, toast } from '../harness/journey.ts'
import { openFromMenu, openNewEndpoint } from '../harness/open-browser.ts'

// An API on a stored procedure, as a person makes one: test the connection, choose, try a sample, save,
// call it through Build Request and through the gateway; then the procedure changes.

const canRun =
  process.env['TEST_MYSQL_URL'] !== undefined ||
  foundPrograms()['GATEHOUSE_TEST_MARIADBD'] !== undefined

describe.skipIf(!canRun)('an API on a stored procedure', () => {
  const journey = startJourney()
  const database = `gatehouse_journey_${process.pid}`
  let mariadb: Awaited<ReturnType<typeof startMariadb>>
  let admin: mysql.Connection
  let url: URL
  beforeAll(async () => {
    mariadb = await startMariadb()
    url = new URL(mariadb.url)
    admin = await mysql.createConnection({ uri: url.href })
    await admin.query(`create database ${database}`)
    await admin.query(`use ${database}`)
    await admin.query(
      'create procedure find_customer(in id bigint) reads sql data select id, "Ada" as name, 0.10 as rate',
    )
  })
  afterAll(async () => {
    await admin?.query(`drop database ${database}`)
    await admin?.end()
    await mariadb?.stop()
  })

  it('Test connection lists procedures, a click fills the method, a sample shows its answer', async () => {
    const { page } = journey
    await openFromMenu(page, 'APIs')
    await page.getByRole('link', { name: 'Add Api' }).click()
    await page.getByRole('textbox', { name: 'API Name' }).fill('Customers')
    await page.getByText('Stored Procedure', { exact: true }).click()
    await page.getByRole('combobox', { name: 'Driver' }).click()
    await page.getByRole('option', { name: 'MySql' }).click()
    await page.getByLabel('Host').fill(url.hostname)
    await page.getByLabel('Port').fill(url.port)
    await page.getByLabel('Database', { exact: true }).fill(database)
    await page.getByLabel('Username').fill(decodeURIComponent(url.username))
    await page
      .getByLabel('Password', { exact: true })
      .fill(decodeURIComponent(url.password) || 'none')
    await page.getByRole('button', { name: 'Test connection' }).click()
    await page.getByRole('button', { name: /^find_customer/ }).click()
    expect(await page.getByLabel('Stored Procedure method').inputValue()).toBe('find_customer')

    await page.getByRole('heading', { name: 'Run with a sample' }).click()
    await page.getByRole('button', { name: 'Run with a sample' }).click()
    await page.getByText('"recordsets"').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Create API' }).click()
    await toast(page, 'API created successfully!')
    await page.waitForURL(/\/api\/edit\/\d+$/)
  })

  it('an endpoint on it is called through Build Request and through the gateway', async () => {
    const { page } = journey
    await openFromMenu(page, 'Endpoints')
    await openNewEndpoint(page)
    await page.getByRole('combobox', { name: 'Api' }).click()
    await page.getByRole('option', { name: 'Customers' }).click()
    await page.getByRole('textbox', { name: 'Path' }).fill('/customers/{id}')
    await page.getByRole('textbox', { name: 'Summary' }).fill('One customer')
    await page.getByRole('textbox', { name: 'Description' }).fill('One customer')
    await page.getByRole('switch', { name: 'Enable Authentication' }).click({ force: true })
    await page.getByRole('button', { name: 'Create endpoint' }).click()
    await toast(page, 'Endpoint created.')
    await page.waitForURL(/\/endpoint\/edit\/\d+$/)

    const answer = await fetch(`${journey.gatewayUrl}/customers/customers/9007199254740993`)
    expect(answer.status).toBe(200)
    expect(await answer.text()).toContain(
      '"recordsets":[[{"id":9007199254740993,"name":"Ada","rate":0.10}]]',
    )
    expect((await fetch(`${journey.gatewayUrl}/customers/customers/x`)).status).toBe(422)

    await openFromMenu(page, 'Build Request')
    await page.getByRole('combobox', { name: 'From endpoint' }).click()
    await page.getByRole('option', { name: 'One customer' }).first().click()
    const form = page.getByRole('form', { name: 'From endpoint' })
    await form.getByRole('textbox', { name: 'id', exact: true }).fill('7')
    await page.getByRole('button', { name: 'Get', exact: true }).click()
    const pane = page.getByRole('region', { name: 'From' })
    await pane.getByRole('tree', { name: 'Fetched JSON' }).waitFor()
    await pane.getByRole('button', { name: 'Text' }).click()
    await pane.getByText('"Ada"').waitFor()
  })

  it('the list reports a call through the gateway that came back with other columns', async () => {
    const { page } = journey
    await admin.query('drop procedure find_customer')
    await admin.query(
      'create procedure find_customer(in id bigint) reads sql data select id, "Ada" as name',
    )
    expect((await fetch(`${journey.gatewayUrl}/customers/customers/7`)).status).toBe(200)
    const row = page.getByRole('row', { name: 'Customers' })
    // The worker reports what came back after its answer, and a list shows first what it showed last.
    const isReported = async () => {
      await openFromMenu(page, 'Endpoints')
      await openFromMenu(page, 'APIs')
      await row.waitFor()
      return row.getByText('changed').count()
    }
    await expect.poll(isReported).toBe(1)
  })

  it('the list and the screen of a procedure report that it has changed, and the change can be accepted', async () => {
    const { page } = journey
    await admin.query('drop procedure find_customer')
    await admin.query(
      'create procedure find_customer(in id bigint, in region int) reads sql data select id',
    )
    await openFromMenu(page, 'APIs')
    await page.getByRole('link', { name: /^Edit/ }).click()
    await page.getByText('the column rate is gone').waitFor()
    await page.getByRole('button', { name: 'Check now' }).click()
    await page.getByText('The parameter region (in int(11)) is new.').waitFor()
    await expectAccessible(page)
    await openFromMenu(page, 'APIs')
    await page.getByRole('row', { name: 'Customers' }).getByText('changed').waitFor()
    await page.getByRole('link', { name: /^Edit/ }).click()
    await page.getByRole('button', { name: 'Accept as the new contract' }).click()
    await page.getByText('It has not changed since.').waitFor()
    expect(journey.complaints).toEqual([])
  })
})
