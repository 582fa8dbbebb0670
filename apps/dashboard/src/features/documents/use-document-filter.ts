import { useSearchParams } from 'react-router'
import type { DocumentKind, DocumentState } from '@gatehouse/contract'
import { documentKindWords, documentStateWords } from './document-words.ts'

export interface DocumentFilter {
  state?: DocumentState
  kind?: DocumentKind
  /** `1`: test documents only, `0`: none of them. */
  test?: '0' | '1'
}

const states = Object.keys(documentStateWords) as DocumentState[]
const kinds = Object.keys(documentKindWords) as DocumentKind[]

/** The filters of the list, kept in the address; what it can't be narrowed down by is ignored. */
export function useDocumentFilter() {
  const [address, setAddress] = useSearchParams()
  const state = states.find((known) => known === address.get('state'))
  const kind = kinds.find((known) => known === address.get('kind'))
  const test = (['0', '1'] as const).find((known) => known === address.get('test'))
  const filter: DocumentFilter = {
    ...(state && { state }),
    ...(kind && { kind }),
    ...(test && { test }),
  }

  function setFilter(name: 'state' | 'kind' | 'test', value: string | null) {
    setAddress(
      (current) => {
        const next = new URLSearchParams(current)
        next.delete('page')
        if (value) next.set(name, value)
        else next.delete(name)
        return next
      },
      { replace: true },
    )
  }

  return { filter, setFilter }
}
