import { screen, waitFor, within } from '@testing-library/react'
import type { JudgedAnswer } from '@gatehouse/contract'
import { defaultRunSettings } from '@gatehouse/contract/run-profiles'
import { expect, test } from 'vitest'
import { buildApiRecord, buildEndpoint, buildPage, buildUser } from '../../../testing/builders.ts'
import { refuse, type Answers } from '../../../testing/fake-server.ts'
import { renderApp } from '../../../testing/render-app.tsx'

const judgeKey = 'POST /api/endpoint/judge'
const rule = {
  statuses: '200',
  join: 'all' as const,
  conditions: [{ path: 'state', test: 'equals' as const, value: 'OK' }],
}
const judged: JudgedAnswer = {
  state: 'rejected',
  outcome: 'rejected',
  decided_by: 'no_rule',
  message: 'The endpoint rejected it (it answered 200).',
  format: 'json',
  rules: [
    {
      rule: 'success_rule',
      verdict: 'fails',
      fits_status: true,
      join: 'all',
      conditions: [
        {
          path: 'state',
          test: 'equals',
          value: 'OK',
          found: ['"NO"'],
          found_count: 1,
          holds: false,
        },
      ],
    },
  ],
  found: { authority_reference: null, qr: null, ask_by: null, wait_until: null },
  documents: [],
}
const taken: JudgedAnswer = {
  ...judged,
  state: 'succeeded',
  outcome: 'ok',
  decided_by: 'success_rule',
  message: null,
  rules: [
    {
      ...judged.rules[0]!,
      verdict: 'holds',
      conditions: [{ ...judged.rules[0]!.conditions[0]!, found: ['"OK"'], holds: true }],
    },
  ],
  found: { ...judged.found, authority_reference: 'IRN-7' },
}

async function openBench(more: Answers = {}, permissions?: string[]) {
  const user = buildUser()
  const held = permissions && user.permissions.filter((each) => permissions.includes(each))
  const app = renderApp({
    path: '/dashboard/admin/endpoint/edit/7',
    answers: {
      'GET /api/endpoint': () => buildPage([]),
      'GET /api/endpoint/:id/edit': () => [
        buildEndpoint({ run_settings: { ...defaultRunSettings, success_rule: rule } }),
        [buildApiRecord(1)],
      ],
      [judgeKey]: ({ body }) => ((body as { body: string }).body.includes('"OK"') ? taken : judged),
      ...more,
    },
    ...(held ? { user: { ...user, permissions: held } } : {}),
  })
  await app.browser.click(await screen.findByText('Try them on an answer'))
  const body = await screen.findByRole('textbox', { name: 'Body of the answer' })
  return { ...app, body }
}
const verdict = async () => within(await screen.findByRole('region', { name: 'Verdict' }))

test('a pasted answer is judged by the rules of the form, condition by condition', async () => {
  const { server, browser, body } = await openBench()
  const before = await verdict()
  expect(before.getByText('Rejected')).toBeTruthy()
  expect(before.getByText('No rule fits.')).toBeTruthy()
  expect(before.getByRole('listitem').textContent).toContain(
    'state equals OK: does not holdfound "NO"',
  )
  await browser.click(body)
  await browser.paste('{"state":"OK"}')
  expect(await screen.findByText('Accepted')).toBeTruthy()
  const after = await verdict()
  expect(after.getByText('Success rule: fits, and decides')).toBeTruthy()
  expect(after.getByRole('listitem').textContent).toContain('holds, decidesfound "OK"')
  expect(after.getByText('IRN-7')).toBeTruthy()
  expect(server.bodiesOf(judgeKey).at(-1)).toMatchObject({
    status: '200',
    body: '{"state":"OK"}',
    is_resend: false,
    method_type: 'get',
    run_settings: { success_rule: rule },
  })
})

test('what is not saved yet is what judges', async () => {
  const { server, browser } = await openBench()
  await verdict()
  const [value] = screen.getAllByLabelText('Value')
  await browser.type(value!, 'AY')
  await waitFor(() =>
    expect(server.bodiesOf(judgeKey).at(-1)).toMatchObject({
      run_settings: { success_rule: { conditions: [{ value: 'OKAY' }] } },
    }),
  )
})

test('the last answer is taken, with the run that it is from', async () => {
  const last = {
    run_id: 12,
    position: 2,
    at: '2026-11-21T10:00:00.000Z',
    is_resend: true,
    status: 409,
    headers: { 'content-type': 'application/json' },
    body: '{"state":"NO"}',
  }
  const { server, browser, body } = await openBench({
    'GET /api/endpoint/:id/last-answer': () => last,
  })
  await browser.click(screen.getByRole('button', { name: 'Take the last answer' }))
  expect((await screen.findByRole('link', { name: 'run 12' })).parentElement?.textContent).toBe(
    'From run 12, step 2',
  )
  expect((body as HTMLTextAreaElement).value).toBe(last.body)
  await waitFor(() =>
    expect(server.bodiesOf(judgeKey).at(-1)).toMatchObject({
      status: '409',
      headers: 'content-type: application/json',
      is_resend: true,
    }),
  )
  server.use({ 'GET /api/endpoint/:id/last-answer': () => null })
  await browser.click(screen.getByRole('button', { name: 'Take the last answer' }))
  expect(await screen.findByText('No run has an answer of this endpoint.')).toBeTruthy()
})

test('without the permission to see runs no answer is taken', async () => {
  await openBench({}, ['dashboard.view', 'endpoint.view', 'endpoint.edit'])
  expect(screen.queryByRole('button', { name: 'Take the last answer' })).toBeNull()
})

test('a rule that can’t be used says why, in place of a verdict', async () => {
  const message = 'Write statuses from 100 to 599 and ranges of them, like 200-299,208.'
  await openBench({
    [judgeKey]: () =>
      refuse('request.invalid', { 'run_settings.success_rule.statuses': [message] }),
  })
  expect((await screen.findByRole('alert')).textContent).toBe(message)
  expect(screen.queryByRole('region', { name: 'Verdict' })).toBeNull()
})
