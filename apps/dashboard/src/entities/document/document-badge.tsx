import { Anchor, Badge, Group } from '@mantine/core'
import { Link } from 'react-router'
import type { DocumentRecord, DocumentState } from '@gatehouse/contract'
import { paths } from '../paths.ts'
import { StatusWord } from '../../ui/status-word.tsx'
import { TestBadge } from '../run/run-badges.tsx'
import { documentStateColors, documentStateWords } from './document-words.ts'

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
      <Anchor
        component={Link}
        to={paths.document(document.id)}
        size="sm"
        fw={600}
        style={{ overflowWrap: 'anywhere' }}
      >
        <bdi>{document.reference}</bdi>
      </Anchor>
      {document.is_test && <TestBadge />}
    </Group>
  )
}
