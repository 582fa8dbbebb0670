import { Anchor, Badge, Group, Text } from '@mantine/core'
import type { DocumentState, RunState, SearchHit } from '@gatehouse/contract'
import { Link } from 'react-router'
import { DocumentBadge } from '../../entities/document/document-badge.tsx'
import { RunBadge, TestBadge } from '../../entities/run/run-badges.tsx'
import { Moment } from '../../ui/text/moment.tsx'
import classes from './search.module.css'
import { addressOf, titleOf } from './search-words.ts'

interface SearchHitTextProps {
  hit: SearchHit
  /** Makes the title a link. */
  isLink?: boolean
}

/** A hit in three lines: what it is called, when and how much, and where it was found. */
export function SearchHitText({ hit, isLink = false }: SearchHitTextProps) {
  const title = <bdi>{titleOf(hit)}</bdi>
  return (
    <div className={classes['hit']}>
      <Group gap="xs" wrap="nowrap" justify="space-between" align="flex-start">
        <Text size="sm" fw={600} className={classes['title'] ?? ''}>
          {isLink ? (
            <Anchor component={Link} to={addressOf(hit)} inherit>
              {title}
            </Anchor>
          ) : (
            title
          )}
        </Text>
        <Group gap={6} wrap="nowrap">
          {hit.is_test && <TestBadge />}
          <StateBadge hit={hit} />
        </Group>
      </Group>
      <Text size="xs" className={classes['facts'] ?? ''}>
        {hit.kind === 'run' && hit.title !== '' && <span>Run #{hit.id}</span>}
        {hit.registers.length > 0 && <bdi>{hit.registers.join(', ')}</bdi>}
        {hit.workflow && <bdi>{hit.workflow.name}</bdi>}
        {hit.amount !== null && <bdi>{hit.amount}</bdi>}
        <Moment at={hit.at} isRelative />
      </Text>
      {hit.snippet && <Snippet snippet={hit.snippet} />}
    </div>
  )
}

function Snippet({ snippet }: { snippet: NonNullable<SearchHit['snippet']> }) {
  return (
    <Text size="xs" className={classes['snippet'] ?? ''}>
      {snippet.path !== '' && <span className={classes['path']}>{snippet.path}: </span>}
      <bdi>
        {snippet.pieces.map(({ text, is_hit }, at) =>
          // oxlint-disable-next-line react/no-array-index-key -- pieces never move
          is_hit ? <mark key={at}>{text}</mark> : <span key={at}>{text}</span>,
        )}
      </bdi>
    </Text>
  )
}

function StateBadge({ hit: { kind, state } }: { hit: SearchHit }) {
  if (state === null) return null
  if (kind === 'run') return <RunBadge state={state as RunState} />
  if (kind === 'document') return <DocumentBadge state={state as DocumentState} />
  return (
    <Badge color={state === 'active' ? 'green' : 'gray'} variant="light" miw="max-content">
      {state === 'active' ? 'Active' : 'Paused'}
    </Badge>
  )
}
