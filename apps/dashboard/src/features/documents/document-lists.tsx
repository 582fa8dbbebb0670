import { Anchor, Group, Paper, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { DocumentRecord, DocumentRun, DocumentState, RunState } from '@gatehouse/contract'
import { paths } from '../../entities/paths.ts'
import { kindWords } from '../../entities/run/run-words.ts'
import { Moment } from '../../ui/text/moment.tsx'
import { RunBadge } from '../../entities/run/run-badges.tsx'
import { DocumentBadge, DocumentLink } from '../../entities/document/document-badge.tsx'
import classes from './document-lists.module.css'

/** Where the run says the same of the document, one badge is enough. */
const matching: Partial<Record<RunState, DocumentState>> = {
  running: 'sending',
  succeeded: 'accepted',
  not_started: 'open',
  rejected: 'not_accepted',
  unknown: 'unknown',
  pending: 'pending',
}

/** The runs that carried the document, the latest first. */
export function DocumentRuns({ runs }: { runs: DocumentRun[] }) {
  return (
    <Panel title="Runs" count={runs.length} empty="No run has carried it.">
      {runs.map((run) => (
        <li key={`${run.id}-${run.position}`} className={classes['row']}>
          <div>
            <Anchor component={Link} to={paths.run(run.id)} size="sm" fw={600}>
              Run {run.id}
            </Anchor>
            <Text size="xs" c="dimmed">
              {kindWords[run.kind]}, step {run.position}, by {run.user_name}
            </Text>
          </div>
          <Group gap="xs">
            <RunBadge state={run.state} />
            {run.document_state !== matching[run.state] && (
              <DocumentBadge state={run.document_state} />
            )}
          </Group>
          <Text size="xs" c="dimmed" className={classes['moment'] ?? ''}>
            <Moment at={run.created_at} isRelative />
          </Text>
        </li>
      ))}
    </Panel>
  )
}

/** What was credited of it, the latest first. */
export function CreditNotes({ credits }: { credits: DocumentRecord[] }) {
  return (
    <Panel title="Credit notes" count={credits.length} empty="None were sent against it.">
      {credits.map((credit) => (
        <li key={credit.id} className={classes['row']}>
          <div>
            <DocumentLink document={credit} />
            <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              {credit.authority_reference === null ? (
                'no authority reference'
              ) : (
                <bdi>{credit.authority_reference}</bdi>
              )}
            </Text>
          </div>
          <div>
            <DocumentBadge state={credit.state} />
          </div>
          <Text size="xs" c="dimmed" className={classes['moment'] ?? ''}>
            <Moment at={credit.updated_at} isRelative />
          </Text>
        </li>
      ))}
    </Panel>
  )
}

interface PanelProps {
  title: string
  count: number
  empty: string
  children: ReactNode
}

function Panel({ title, count, empty, children }: PanelProps) {
  return (
    <Paper component="section" className={classes['panel'] ?? ''}>
      <Title order={3}>{title}</Title>
      {count === 0 ? (
        <Text size="sm" c="dimmed" mt="xs">
          {empty}
        </Text>
      ) : (
        <ul className={classes['rows']} aria-label={title}>
          {children}
        </ul>
      )}
    </Paper>
  )
}
