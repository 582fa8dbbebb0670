import { useState } from 'react'
import type { AuditThing } from '@gatehouse/contract'
import { auditThings } from '@gatehouse/contract/audit-names'
import type { AddressFilter } from '../../lib/page/use-address-filter.ts'
import { DayRange } from '../../ui/filters/day-range.tsx'
import { ClearFilters, filterProps } from '../../ui/filters/filter-selects.tsx'
import { LateSelect } from '../../ui/filters/late-select.tsx'
import { LinkedFilter } from '../../ui/filters/linked-filter.tsx'
import { SearchBox } from '../../ui/table/search-box.tsx'
import type { Term } from '../../ui/terms/term.ts'
import { outcomeWords, wordsOfAction, wordsOfThing } from './audit-words.ts'
import {
  auditOutcomes,
  isFiltered,
  type AuditFilter,
  type auditFilterNames,
} from './audit-filter.ts'

/** What the search understands. */
export const auditTerms: readonly Term[] = [
  { name: 'actor', label: 'Actor' },
  { name: 'action', label: 'Action' },
  {
    name: 'thing',
    label: 'Thing',
    choices: auditThings.map((value) => ({ value, label: wordsOfThing(value) })),
  },
  {
    name: 'outcome',
    label: 'Outcome',
    choices: auditOutcomes.map((value) => ({ value, label: outcomeWords[value] })),
  },
]

interface AuditFiltersProps extends AddressFilter<AuditFilter, (typeof auditFilterNames)[number]> {
  /** The kinds of things that the list may have; all unless given. */
  things?: readonly AuditThing[]
}

/** Filters by actor, action, thing, outcome and day. */
export function AuditFilters(props: AuditFiltersProps) {
  const { filter, setFilter, clear, things = auditThings } = props
  return (
    <>
      <SearchBox
        label="Actor"
        value={filter.actor}
        onChange={(actor) => setFilter({ actor })}
        isSmall
      />
      <ActionSelect value={filter.action} onChange={(action) => setFilter({ action })} />
      <LateSelect
        {...filterProps('Thing', 'Any thing', 150)}
        data={things.map((value) => ({ value, label: wordsOfThing(value) }))}
        value={filter.thing ?? null}
        onChange={(thing) => setFilter({ thing, thing_id: null })}
      />
      <LateSelect
        {...filterProps('Outcome', 'Any outcome', 150)}
        data={auditOutcomes.map((value) => ({ value, label: outcomeWords[value] }))}
        value={filter.outcome ?? null}
        onChange={(outcome) => setFilter({ outcome })}
      />
      <DayRange from={filter.from} to={filter.to} onChange={setFilter} />
      {filter.thingId !== undefined && (
        <LinkedFilter
          removeLabel="Show all things"
          onRemove={() => setFilter({ thing: null, thing_id: null })}
        >
          {filter.thing && wordsOfThing(filter.thing)} #{filter.thingId}
        </LinkedFilter>
      )}
      {isFiltered(filter) && <ClearFilters onClear={clear} />}
    </>
  )
}

interface ActionSelectProps {
  /** A link may hold a part of an action. */
  value: string
  onChange: (action: string | null) => void
}

/** Chooses an action by its words. The actions there are come when the field is opened. */
function ActionSelect({ value, onChange }: ActionSelectProps) {
  const [choices, setChoices] = useState<{ value: string; label: string }[]>([])
  const isChosen = value !== '' && !choices.some((choice) => choice.value === value)
  const chosen = { value, label: /\.\w/.test(value) ? wordsOfAction(value) : value }
  return (
    <LateSelect
      {...filterProps('Action', 'Any action', 200)}
      data={isChosen ? [chosen, ...choices] : choices}
      value={value === '' ? null : value}
      searchable
      nothingFoundMessage="No such action"
      onDropdownOpen={() => {
        void import('./action-choices.ts').then(({ actionChoices }) => setChoices(actionChoices))
      }}
      onChange={onChange}
    />
  )
}
