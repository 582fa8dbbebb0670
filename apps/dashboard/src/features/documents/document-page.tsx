import { Anchor, Group, SimpleGrid, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { DocumentDetail, DocumentState } from '@gatehouse/contract'
import { paths } from '../../entities/paths.ts'
import { useThingName } from '../../lib/page/thing-name.ts'
import { useRecordId } from '../../lib/page/use-record-id.ts'
import { Copied } from '../../ui/text/copied.tsx'
import { Facts } from '../../ui/text/facts.tsx'
import { FormCard } from '../../ui/form/form-card.tsx'
import { Moment } from '../../ui/text/moment.tsx'
import { Page } from '../../ui/page/page.tsx'
import { QueryLoader } from '../../ui/page/query-loader.tsx'
import { TestBadge } from '../../entities/run/run-badges.tsx'
import { DocumentBadge, DocumentLink } from '../../entities/document/document-badge.tsx'
import { CreditNotes, DocumentRuns } from './document-lists.tsx'
import { documentQueries } from './document-queries.ts'
import { DocumentQr } from './document-qr.tsx'
import { documentKindWords, documentSentences } from '../../entities/document/document-words.ts'
import { documentsMessages } from './documents-messages.ts'

/** One document: what is known of it, its QR code, its runs and the credit notes against it. */
export function DocumentPage() {
  const id = useRecordId()
  const query = useQuery(documentQueries.one(id))
  useThingName(query.data?.reference ?? undefined)
  return (
    <Page
      title={query.data?.reference ?? 'Document'}
      subtitle={query.data && documentKindWords[query.data.kind]}
    >
      <QueryLoader query={query} failureText={documentsMessages.notLoaded}>
        {(document) => <Content document={document} />}
      </QueryLoader>
    </Page>
  )
}

function Content({ document }: { document: DocumentDetail }) {
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md" style={{ alignItems: 'start' }}>
      <Stack gap="md">
        <FormCard title="State" description={documentSentences[document.state]}>
          <Group gap="xs">
            <DocumentBadge state={document.state} />
            {document.is_test && <TestBadge />}
          </Group>
          <Facts facts={factsOf(document)} />
        </FormCard>
        <DocumentRuns runs={document.history} />
        {document.kind === 'tax' && <CreditNotes credits={document.credit_notes} />}
      </Stack>
      <DocumentQr text={document.qr} />
    </SimpleGrid>
  )
}

const runLabels: Record<DocumentState, string> = {
  open: 'Last run',
  not_accepted: 'Last run',
  sending: 'Held by',
  unknown: 'Held by',
  pending: 'Held by',
  accepted: 'Accepted in',
}

function factsOf(document: DocumentDetail) {
  const { reference, authority_reference, run_id, kind } = document
  return [
    ['Reference', <Copied key="reference" text={reference} description="the reference" />],
    ['Register', <bdi key="register">{document.register}</bdi>],
    [
      'Authority reference',
      authority_reference === null ? (
        'none yet'
      ) : (
        <Copied key="authority" text={authority_reference} description="the authority reference" />
      ),
    ],
    ...(kind === 'credit'
      ? [['Credits', <Original key="original" document={document} />] as const]
      : []),
    [
      runLabels[document.state],
      run_id === null ? (
        'no run'
      ) : (
        <Anchor key="run" component={Link} to={paths.run(run_id)} inherit>
          run {run_id}
        </Anchor>
      ),
    ],
    ['First seen', <Moment key="first" at={document.created_at} isRelative />],
    ['Last change', <Moment key="last" at={document.updated_at} isRelative />],
  ] as const
}

function Original({ document: { original, original_reference } }: { document: DocumentDetail }) {
  if (original_reference === null) return 'a document that its body does not name'
  if (original === null) {
    return (
      <>
        <bdi>{original_reference}</bdi>, which no run here has sent
      </>
    )
  }
  return (
    <Stack gap={4} align="flex-start">
      <DocumentLink document={original} />
      <DocumentBadge state={original.state} />
    </Stack>
  )
}
