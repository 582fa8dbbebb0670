import type { FormPart } from '../../../lib/forms/form-part.ts'
import { lazyPart } from '../../../lib/page/lazy-part.tsx'
import { Disclosure } from '../../../ui/page/disclosure.tsx'
import { Loading } from '../../../ui/page/loading.tsx'
import type { TlsDraft } from './tls-draft.ts'

const TlsFields = lazyPart(async () => (await import('./tls-fields.tsx')).TlsFields, <Loading />)

interface TlsSectionProps {
  part: FormPart<TlsDraft>
  hasErrors: boolean
}

/** The client certificate that the upstream asks for, and whom Gatehouse trusts. */
export function TlsSection({ part, hasErrors }: TlsSectionProps) {
  return (
    <Disclosure
      title="TLS to the upstream"
      note={noteOf(part.values)}
      isOpenWhen={hasErrors}
      isInCard
    >
      <TlsFields part={part} />
    </Disclosure>
  )
}

function noteOf({ mode, ca, legacy_renegotiation }: TlsDraft): string {
  const parts = [
    mode === 'none' ? '' : 'client certificate',
    ca.trim() === '' ? '' : 'own authority',
    legacy_renegotiation ? 'legacy renegotiation' : '',
  ].filter((part) => part !== '')
  if (parts.length === 0) return 'No client certificate; public authorities are trusted.'
  const text = parts.join(' · ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
