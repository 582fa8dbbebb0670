import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import {
  buildRun,
  expectPane,
  fail,
  findEditor,
  pickAt,
  renderBuildRequest,
  succeed,
  typeInto,
} from '../../testing/build-request-screen.ts'
import { refuse, requestId, type Answers } from '../../testing/fake-server.ts'

const order = '{"id":12345678901234567890,"price":0.10}'
const answers: Answers = {
  'GET /admin/get-data': () => succeed('Data fetched.', order),
  'POST /api/prepare-data': () => succeed('Data sent.', '{"reference":0.50}', 201),
}
const unknown = () =>
  fail(504, {
    message:
      'The request was sent, but what became of it is not known. Check before sending again.',
    code: 'run.unknown',
    run: buildRun('unknown', 'timeout', null),
  })
const unknownTitle = 'What became of it is not known'

/** The screen with a To endpoint chosen and a finished body typed. */
async function renderWithBody(sendAnswers: Answers = answers) {
  const app = await renderBuildRequest(sendAnswers)
  await app.choose('send', 'File invoice')
  await app.unfold('send')
  typeInto(await findEditor('Body'), '{"total": 0.10}')
  await screen.findByText(/Send takes the finished body above/)
  const pressSend = () => app.browser.click(app.card.send.getByRole('button', { name: 'Send' }))
  const sentCount = () => app.server.bodiesOf('POST /api/prepare-data').length
  return { ...app, pressSend, sentCount }
}

test('Send takes the fetched JSON and the rows as text, and shows the answer exactly', async () => {
  const { server, browser, card, choose, fetchAsText, unfold } = await renderBuildRequest(answers)
  await choose('get', 'One order')
  await fetchAsText()
  pickAt(await findEditor('Fetched JSON'), '12345')
  await choose('send', 'File invoice')
  await unfold('send')
  await browser.type(card.send.getByLabelText('Token'), 'post-token')
  expect(card.send.getByText(/Send takes the mapped JSON \(1 row\)/)).toBeTruthy()
  await expectPane('Mapped JSON Data', '{\n  "id": 12345678901234567890\n}')
  await browser.click(card.send.getByRole('button', { name: 'Send' }))

  expect(await screen.findByText('Data sent.')).toBeTruthy()
  expect(card.send.getByText('Sent · status 201 · 12 ms', { exact: false })).toBeTruthy()
  await expectPane('Answer', '{\n  "reference": 0.50\n}')
  expect(server.bodiesOf('POST /api/prepare-data')).toEqual([
    {
      end_point: '4',
      first_endpoint: order,
      second_endpoint: '[{"from":"id","to":"id","custom_input":"","type":"auto"}]',
      token: 'post-token',
    },
  ])
})

test('a finished body goes out as it was typed, whatever the rows say', async () => {
  const { server, pressSend } = await renderWithBody()
  await pressSend()
  await screen.findByText('Data sent.')
  expect(server.bodiesOf('POST /api/prepare-data')).toMatchObject([
    { first_endpoint: '', second_endpoint: '{"total": 0.10}' },
  ])
})

test('the mapped JSON can be copied to Body, which is then what is sent', async () => {
  const { browser, card } = await renderBuildRequest(answers)
  await browser.click(screen.getByRole('button', { name: 'Add Mapping' }))
  await browser.type(screen.getByRole('textbox', { name: 'To' }), 'a')
  await browser.type(screen.getByRole('textbox', { name: 'Custom Input' }), 'b')
  await expectPane('Mapped JSON Data', '{\n  "a": "b"\n}')
  await browser.click(screen.getByRole('button', { name: 'Copy mapped JSON to Body' }))
  expect(await card.send.findByText(/Send takes the finished body above/)).toBeTruthy()
  expect((await findEditor('Body')).state.doc.toString()).toBe('{\n  "a": "b"\n}')
})

test('a body in the shape of rows is announced as what the server takes it for', async () => {
  const { card, unfold } = await renderBuildRequest(answers)
  await unfold('send')
  typeInto(await findEditor('Body'), '[{"to": "a", "custom_input": "b"}]')
  expect(await card.send.findByText(/has the shape of mapping rows/)).toBeTruthy()
})

test('messages of a 422 are under their fields, and nothing counts as sent', async () => {
  const { card, pressSend } = await renderWithBody({
    ...answers,
    'POST /api/prepare-data': () =>
      refuse('request.invalid', {
        end_point: ['Choose an endpoint.'],
        token: ['No blanks.'],
        second_endpoint: ['Not JSON.'],
      }),
  })
  await pressSend()
  expect(await card.send.findByText('Nothing was sent')).toBeTruthy()
  for (const message of ['Choose an endpoint.', 'No blanks.', 'Not JSON.']) {
    expect(card.send.getByText(message)).toBeTruthy()
  }
  expect(card.send.getByText(`request ${requestId}`)).toBeTruthy()
  expect(sessionStorage.getItem('gatehouse.build-request.1')).toContain('"openSend":null')
})

test('two clicks in a row send once', async () => {
  let answer: (response: Response) => void = () => {}
  const { browser, card, sentCount } = await renderWithBody({
    ...answers,
    'POST /api/prepare-data': () => new Promise<Response>((resolve) => (answer = resolve)),
  })
  await browser.dblClick(card.send.getByRole('button', { name: 'Send' }))
  expect(await card.send.findByText(/^Sending…/)).toBeTruthy()
  expect(sentCount()).toBe(1)
  answer(succeed('Data sent.', 'null', 201))
  expect(await card.send.findByText(/^Sent · status 201/)).toBeTruthy()
  expect(sentCount()).toBe(1)
})

test('a rejection shows its status, its run, and what the endpoint said', async () => {
  const { card, pressSend } = await renderWithBody({
    ...answers,
    'POST /api/prepare-data': () =>
      fail(502, {
        message: 'The upstream answered 422.',
        code: 'upstream.status',
        run: buildRun('rejected', 'rejected', 422),
        answer: '{"total":0.10}',
      }),
  })
  await pressSend()
  expect(await card.send.findByText('The endpoint rejected it (status 422)')).toBeTruthy()
  expect(card.send.getByText(`request ${requestId}`, { exact: false })).toBeTruthy()
  const link = card.send.getByRole('link', { name: 'run 41' })
  expect(link.getAttribute('href')).toBe('/dashboard/admin/runs/41')
  expect((await screen.findAllByText('The upstream answered 422.')).length).toBe(2)
  await expectPane('Answer', '{\n  "total": 0.10\n}')
})

test('after an unknown outcome the next Send asks first', async () => {
  const { server, browser, card, pressSend, sentCount } = await renderWithBody({
    ...answers,
    'POST /api/prepare-data': unknown,
  })
  await pressSend()
  const alert = within(await card.send.findByRole('alert'))
  expect(alert.getByText(unknownTitle)).toBeTruthy()
  expect(alert.getByText(/Check before sending again/)).toBeTruthy()
  server.use({ 'POST /api/prepare-data': () => succeed('Data sent.', 'null', 201) })
  await pressSend()
  expect(await screen.findByText(/it may have been received\. Sending again/)).toBeTruthy()
  expect(sentCount()).toBe(1)
  await browser.click(screen.getByRole('button', { name: 'Send again' }))
  expect(await card.send.findByText(/^Sent · status 201/)).toBeTruthy()
  expect(sentCount()).toBe(2)
  expect(screen.queryByText(unknownTitle)).toBeNull()
})

test('an unknown outcome outlives a reload, until the user has checked', async () => {
  const first = await renderWithBody({ ...answers, 'POST /api/prepare-data': unknown })
  await first.pressSend()
  await first.card.send.findByText(unknownTitle)
  cleanup()
  const { browser, card } = await renderBuildRequest(answers)
  expect(card.send.getByText(unknownTitle)).toBeTruthy()
  expect(card.send.getByText(/To File invoice/)).toBeTruthy()
  await browser.click(card.send.getByRole('button', { name: 'I have checked' }))
  expect(card.send.queryByText(unknownTitle)).toBeNull()
})

test('sending exactly the same once more asks first', async () => {
  const { browser, card, pressSend, sentCount } = await renderWithBody()
  await pressSend()
  await card.send.findByText(/^Sent · status 201/)
  await pressSend()
  expect(await screen.findByText(/You have just sent exactly this/)).toBeTruthy()
  await browser.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(sentCount()).toBe(1)
  typeInto(await findEditor('Body'), '{"total": 0.3}')
  await card.send.findByText('14 B · 1 line')
  await pressSend()
  await waitFor(() => expect(sentCount()).toBe(2))
})

test('a reload keeps endpoints, bodies and rows, but no token', async () => {
  const { browser, card } = await renderWithBody()
  await browser.type(card.send.getByLabelText('Token'), 'secret-token')
  await browser.click(screen.getByRole('button', { name: 'Add Mapping' }))
  await browser.type(screen.getByRole('textbox', { name: 'To' }), 'kept')
  for (const storage of [sessionStorage, localStorage]) {
    expect(
      Object.keys(storage)
        .map((key) => storage.getItem(key))
        .join(),
    ).not.toContain('secret')
  }
  cleanup()
  const again = await renderBuildRequest(answers)
  expect(again.card.send.getByRole<HTMLInputElement>('combobox').value).toBe('File invoice')
  expect(again.card.send.getByLabelText<HTMLInputElement>('Token').value).toBe('')
  expect((await findEditor('Body')).state.doc.toString()).toBe('{"total": 0.10}')
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'To' }).value).toBe('kept')
})
