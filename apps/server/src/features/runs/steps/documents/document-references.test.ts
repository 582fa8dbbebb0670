import { describe, expect, it } from 'vitest'
import { readDocuments } from './read-document.ts'

describe('the references in a body', () => {
  const settings = {
    content_type: '',
    reference_path: 'invoice.number',
    original_reference_path: 'invoice.credits',
    documents: null,
  }

  it('are read exactly', () => {
    expect(readDocuments(settings, '{"invoice":{"number":0012e2,"credits":"A"}}')).toMatchObject({
      ok: false,
    })
    expect(readDocuments(settings, '{"invoice":{"number":12.0,"credits":" A "}}')).toEqual({
      ok: true,
      documents: [{ reference: '12.0', originalReference: 'A' }],
    })
  })

  it('are none where the endpoint takes no documents', () => {
    const none = {
      content_type: '',
      reference_path: '',
      original_reference_path: '',
      documents: null,
    }
    expect(readDocuments(none, 'no JSON')).toEqual({ ok: true, documents: [] })
  })

  it.each(['{}', '{"invoice":{"number":null}}', '{"invoice":{"number":{}}}', '', 'x'])(
    'are missed in %s',
    (body) => {
      expect(readDocuments(settings, body)).toMatchObject({ ok: false })
    },
  )
})
