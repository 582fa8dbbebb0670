import { describe, expect, it } from 'vitest'
import { readDocument } from './read-document.ts'

describe('the references in a body', () => {
  const settings = {
    content_type: '',
    reference_path: 'invoice.number',
    original_reference_path: 'invoice.credits',
  }

  it('are read exactly', () => {
    expect(readDocument(settings, '{"invoice":{"number":0012e2,"credits":"A"}}')).toMatchObject({
      ok: false,
    })
    expect(readDocument(settings, '{"invoice":{"number":12.0,"credits":" A "}}')).toEqual({
      ok: true,
      document: { reference: '12.0', originalReference: 'A' },
    })
  })

  it('are none where the endpoint takes no documents', () => {
    const none = { content_type: '', reference_path: '', original_reference_path: '' }
    expect(readDocument(none, 'no JSON')).toEqual({ ok: true, document: undefined })
  })

  it.each(['{}', '{"invoice":{"number":null}}', '{"invoice":{"number":{}}}', '', 'x'])(
    'are missed in %s',
    (body) => {
      expect(readDocument(settings, body)).toMatchObject({ ok: false })
    },
  )
})
