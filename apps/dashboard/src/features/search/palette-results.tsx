/* oxlint-disable jsx-a11y/prefer-tag-over-role -- no HTML element lists results below a field that keeps the focus */
import { Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { MouseEvent, ReactNode } from 'react'
import { messageOf } from '../../lib/calls/call-error.ts'
import { Notice, RetryNotice } from '../../ui/page/notice.tsx'
import type { PaletteSection } from './palette-section.ts'
import classes from './search.module.css'
import { SearchNotes } from './search-notes.tsx'
import { optionId } from './search-option-id.ts'
import type { SearchAnswer } from './search-queries.ts'
import { tooShort, whatIsInPalette, whatIsNot } from './search-words.ts'

interface PaletteResultsProps {
  listId: string
  /** Nothing is typed: earlier searches are offered. */
  isBlank: boolean
  recent: readonly string[]
  query: UseQueryResult<SearchAnswer>
  answer: SearchAnswer | undefined
  sections: readonly PaletteSection[]
  /** Something is still being searched. */
  isWaiting: boolean
  selected: number
  onChoose: (index: number) => void
  onPoint: (index: number, event: MouseEvent) => void
}

export function PaletteResults(props: PaletteResultsProps) {
  const { isBlank, recent, query, answer, sections, isWaiting } = props
  if (isBlank) return recent.length > 0 ? <Recent {...props} /> : <Hint text={whatIsInPalette} />
  return (
    <>
      {sections.length > 0 && <Sections {...props} />}
      {query.isError && !answer && (
        <RetryNotice
          title="The search failed"
          reason={messageOf(query.error)}
          isRetrying={query.isFetching}
          onRetry={() => void query.refetch()}
        />
      )}
      {answer && <SearchNotes answer={answer} />}
      {sections.length === 0 && !isWaiting && !query.isError && (
        <NothingFound isTooShort={answer?.is_too_short ?? false} />
      )}
    </>
  )
}

function NothingFound({ isTooShort }: { isTooShort: boolean }) {
  if (isTooShort) return <Hint text={tooShort} />
  return (
    <Notice title="Nothing found">
      <Text size="sm" c="dimmed">
        {whatIsNot}
      </Text>
    </Notice>
  )
}

function Sections(props: PaletteResultsProps) {
  const { listId, sections } = props
  const firsts = sections.map((_, at) =>
    sections.slice(0, at).reduce((sum, { items }) => sum + items.length, 0),
  )
  return (
    <div id={listId} role="listbox" aria-label="Results" className={classes['results']}>
      {sections.map(({ title, items }, at) => (
        <div key={title} role="group" aria-label={title} className={classes['group']}>
          <div className={classes['groupTitle']} aria-hidden>
            {title}
          </div>
          {items.map(({ key, content }, index) => (
            <Option key={key} {...props} index={(firsts[at] ?? 0) + index}>
              {content}
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
      onMouseMove={(event) => onPoint(index, event)}
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
