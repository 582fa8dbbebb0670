/* oxlint-disable jsx-a11y/prefer-tag-over-role -- no HTML element lists results below a field that keeps the focus */
import { Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { SearchGroup } from '@gatehouse/contract'
import type { ReactNode } from 'react'
import { messageOf } from '../../lib/call-error.ts'
import { Notice, RetryNotice } from '../../ui/notice.tsx'
import classes from './search.module.css'
import { SearchHitText } from './search-hit-text.tsx'
import { SearchNotes } from './search-notes.tsx'
import { optionId } from './search-option-id.ts'
import type { SearchAnswer } from './search-queries.ts'
import { kindTitles, tooShort, whatIsNot, whatIsSearched } from './search-words.ts'

interface PaletteResultsProps {
  listId: string
  /** Nothing is typed: earlier searches are offered. */
  isBlank: boolean
  recent: readonly string[]
  query: UseQueryResult<SearchAnswer>
  answer: SearchAnswer | undefined
  selected: number
  onChoose: (index: number) => void
  onPoint: (index: number) => void
}

export function PaletteResults(props: PaletteResultsProps) {
  const { isBlank, recent, query, answer } = props
  if (isBlank) return recent.length > 0 ? <Recent {...props} /> : <Hint text={whatIsSearched} />
  if (query.isError && !answer)
    return (
      <RetryNotice
        title="The search failed"
        reason={messageOf(query.error)}
        isRetrying={query.isFetching}
        onRetry={() => void query.refetch()}
      />
    )
  if (!answer) return null
  if (answer.is_too_short) return <Hint text={tooShort} />
  const groups = answer.groups.filter(({ hits }) => hits.length > 0)
  return (
    <>
      {groups.length === 0 ? (
        <Notice title="Nothing found">
          <Text size="sm" c="dimmed">
            {whatIsNot}
          </Text>
        </Notice>
      ) : (
        <Groups {...props} groups={groups} />
      )}
      <SearchNotes answer={answer} />
    </>
  )
}

function Groups(props: PaletteResultsProps & { groups: readonly SearchGroup[] }) {
  const { listId, groups } = props
  const firsts = groups.map((_, at) =>
    groups.slice(0, at).reduce((sum, { hits }) => sum + hits.length, 0),
  )
  return (
    <div id={listId} role="listbox" aria-label="Results" className={classes['results']}>
      {groups.map(({ kind, hits, total, has_more }, at) => (
        <div key={kind} role="group" aria-label={kindTitles[kind]} className={classes['group']}>
          <div className={classes['groupTitle']} aria-hidden>
            {kindTitles[kind]} · {total.toLocaleString()}
            {has_more && '+'}
          </div>
          {hits.map((hit, index) => (
            <Option key={hit.id} {...props} index={(firsts[at] ?? 0) + index}>
              <SearchHitText hit={hit} />
            </Option>
          ))}
        </div>
      ))}
    </div>
  )
}

function Recent(props: PaletteResultsProps) {
  return (
    <div id={props.listId} role="listbox" aria-label="Recent searches">
      {props.recent.map((text, index) => (
        <Option key={text} {...props} index={index}>
          <Text size="sm">
            <bdi>{text}</bdi>
          </Text>
        </Option>
      ))}
    </div>
  )
}

type OptionProps = Pick<PaletteResultsProps, 'selected' | 'onChoose' | 'onPoint'> & {
  index: number
  children: ReactNode
}

/** The field keeps the focus: keys are handled there. */
function Option({ index, selected, onChoose, onPoint, children }: OptionProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the field handles keys
    <div
      id={optionId(index)}
      role="option"
      aria-selected={index === selected}
      className={classes['option']}
      ref={(node) => {
        if (index === selected) node?.scrollIntoView?.({ block: 'nearest' })
      }}
      onClick={() => onChoose(index)}
      onMouseMove={() => index !== selected && onPoint(index)}
    >
      {children}
    </div>
  )
}

const Hint = ({ text }: { text: string }) => (
  <Text size="sm" c="dimmed" px="xs">
    {text}
  </Text>
)
