import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { buildUser } from '../../testing/builders.ts'
import { refuse, type Answers } from '../../testing/fake-server.ts'
import { renderApp } from '../../testing/render-app.tsx'

const path = '/dashboard/admin/image-generator'
// "مؤسسة", a VAT number, a moment, and two amounts.
const tlv =
  'AQrZhdik2LPYs9ipAg8zMTAxMjIzOTM1MDAwMDMDFDIwMjItMDQtMjVUMTU6MzA6MDBaBAcxMTUwLjAwBQYxNTAuMDA='

function pngAnswer(width = 300, height = 200): Response {
  const bytes = new Uint8Array(2048)
  bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52])
  new DataView(bytes.buffer).setUint32(16, width)
  new DataView(bytes.buffer).setUint32(20, height)
  return new Response(bytes, { headers: { 'content-type': 'image/png' } })
}

const answers: Answers = { 'POST /api/post/image': () => pngAnswer() }
const key = 'POST /api/post/image'

/** A long text is pasted, not typed. */
const fill = async (label: string, value: string) =>
  fireEvent.change(await screen.findByLabelText(label), { target: { value } })
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
const section = (name: string) =>
  screen.getByRole('heading', { name }).closest('section') ?? document.body

test('the form is the spec’s, and sends what was typed', async () => {
  const { server, browser } = renderApp({ path, answers })
  await screen.findByRole('heading', { name: 'Image generator', level: 2 })
  const base64 = screen.getByLabelText<HTMLTextAreaElement>('Base64')
  expect(base64.tagName).toBe('TEXTAREA')
  expect(base64.placeholder).toMatch(/^\{ "EINV_QR": /)
  for (const side of ['Width', 'Height'])
    expect(screen.getByLabelText<HTMLInputElement>(side).type).toBe('number')

  await fill('Base64', 'AQID')
  await fill('Width', '120')
  press('Generate')
  await screen.findByRole('img', { name: 'The generated image' })
  await browser.click(screen.getByRole('checkbox', { name: 'Is Qr' }))
  press('Generate')
  await screen.findByRole('img', { name: 'The generated QR code' })
  expect(server.bodiesOf(key)).toEqual([
    { base64: 'AQID', width: '120', height: '', isQrCode: false },
    { base64: 'AQID', width: '120', height: '', isQrCode: true },
  ])
})

test('success shows the image, its size, and the spec’s toast with what happened', async () => {
  renderApp({ path, answers })
  await fill('Base64', 'AQID')
  expect(screen.getByText('No image yet')).toBeTruthy()
  press('Generate')
  const image = await screen.findByRole<HTMLImageElement>('img', { name: 'The generated image' })
  expect(image.src).toMatch(/^blob:/)
  expect(within(section('Result')).getByText('300 × 200 pixels, 2.0 KB')).toBeTruthy()
  expect(await screen.findByText('API created successfully!')).toBeTruthy()
  expect(screen.getByText('The image was made: 300 × 200 pixels, 2.0 KB.')).toBeTruthy()
})

test('Download Image saves what was made as generated-image.png', async () => {
  renderApp({ path, answers })
  const saved: { name: string; href: string }[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    saved.push({ name: this.download, href: this.href })
  })
  await fill('Base64', 'AQID')
  expect(screen.queryByRole('button', { name: 'Download Image' })).toBeNull()
  press('Generate')
  fireEvent.click(await screen.findByRole('button', { name: 'Download Image' }))
  expect(saved).toEqual([{ name: 'generated-image.png', href: expect.stringMatching(/^blob:/) }])
})

test('a 422 shows its toast, and the first message under each field, the focus in the first', async () => {
  renderApp({
    path,
    answers: {
      [key]: () => refuse('request.invalid', { width: ['Too wide.', 'Odd.'], base64: ['No.'] }),
    },
  })
  await fill('Width', '9999')
  press('Generate')
  expect(await screen.findByText('Validation errors occurred!')).toBeTruthy()
  expect(screen.getByText('Too wide.')).toBeTruthy()
  expect(screen.queryByText('Odd.')).toBeNull()
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Base64')))
  expect(screen.getByLabelText('Width').getAttribute('aria-invalid')).toBe('true')
  await fill('Width', '99')
  expect(screen.queryByText('Too wide.')).toBeNull()
})

test.each([
  ['server.busy', 'The server is busy. Try again in a moment.'],
  ['request.too_large', 'The request is too large.'],
] as const)('any other failure says so and leaves no earlier image: %s', async (code, reason) => {
  const { server } = renderApp({ path, answers })
  await fill('Base64', 'AQID')
  press('Generate')
  await screen.findByRole('img', { name: 'The generated image' })
  server.use({ [key]: () => refuse(code) })
  press('Generate')
  expect(await screen.findByText('Failed to generate image.')).toBeTruthy()
  expect(screen.getByText(reason)).toBeTruthy()
  expect(screen.queryByRole('img', { name: 'The generated image' })).toBeNull()
})

test('a page of a proxy in place of the image is a failure', async () => {
  const page = () => new Response('<h1>Sign in</h1>', { headers: { 'content-type': 'text/html' } })
  renderApp({ path, answers: { [key]: page } })
  await fill('Base64', 'AQID')
  press('Generate')
  expect(await screen.findByText('Failed to generate image.')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Download Image' })).toBeNull()
})

test('what a tax QR contains is shown while it is typed, and with the image', async () => {
  const { browser } = renderApp({ path, answers })
  await fill('Base64', `{ "EINV_QR": "${tlv}" }`)
  expect(screen.queryByRole('table')).toBeNull()
  await browser.click(screen.getByRole('checkbox', { name: 'Is Qr' }))
  const table = await screen.findByRole('table', { name: 'Fields of the tax QR' })
  const rows = within(table).getAllByRole('row').slice(1)
  expect(rows.map((row) => [...row.children].map((cell) => cell.textContent))).toEqual([
    ['1', "Seller's name", 'مؤسسة', '10'],
    ['2', 'VAT registration number', '310122393500003', '15'],
    ['3', 'Time stamp', '2022-04-25T15:30:00Z', '20'],
    ['4', 'Total with VAT', '1150.00', '7'],
    ['5', 'VAT total', '150.00', '6'],
  ])
  expect(section('QR content').textContent).toContain(
    `${tlv.length} of at most 2953 bytes, from the field EINV_QR`,
  )
  press('Generate')
  await screen.findByRole('img', { name: 'The generated QR code' })
  expect(screen.getByRole('table', { name: 'Fields of the tax QR' })).toBeTruthy()
  expect(screen.queryByText('The image above was made of something else.')).toBeNull()

  await fill('Base64', 'https://example.com/')
  expect(await screen.findByText(/This is not the Base64 of a tax QR/)).toBeTruthy()
  expect(screen.getByText('The image above was made of something else.')).toBeTruthy()
})

test('a tax QR that was cut off is shown as far as it goes, with a warning', async () => {
  const { browser } = renderApp({ path, answers })
  await browser.click(await screen.findByRole('checkbox', { name: 'Is Qr' }))
  await fill('Base64', tlv.slice(0, -8))
  expect(await screen.findByText('It ends in the middle of field 5.')).toBeTruthy()
  expect(within(screen.getByRole('table')).getAllByRole('row')).toHaveLength(5)
})

test('a user who may not make images gets a 403', async () => {
  renderApp({ path, user: buildUser({ permissions: ['dashboard.view'] }), answers })
  expect(await screen.findByText('image.generate')).toBeTruthy()
})
