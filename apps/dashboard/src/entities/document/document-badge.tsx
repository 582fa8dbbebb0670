import { Badge, Group } from '@mantine/core'
import type { DocumentRecord, DocumentState } from '@gatehouse/contract'
import { paths } from '../paths.ts'
import { StatusWord } from '../../ui/text/status-word.tsx'
import { TestBadge } from '../run/run-badges.tsx'
import { documentStateColors, documentStateWords } from './document-words.ts'
import { NameLink } from '../../ui/text/name-link.tsx'

export function DocumentBadge({ state }: { state: DocumentState }) {
  if (state !== 'unknown')
    return <StatusWord color={documentStateColors[state]}>{documentStateWords[state]}</StatusWord>
  return (
    <Badge color="yellow.4" variant="filled" miw="max-content">
      {documentStateWords[state]}
    </Badge>
  )
}

/** A document by its reference, whatever its direction, marked where it is a test. */
export function DocumentLink({ document }: { document: DocumentRecord }) {
  return (
    <Group gap="xs">
      <NameLink to={paths.document(document.id)}>
        <bdi>{document.reference}</bdi>
      </NameLink>
      {document.is_test && <TestBadge />}
    </Group>
  )
}
