import { CloseButton, Combobox, Loader, TextInput, useCombobox } from '@mantine/core'
import type { EndpointOption } from '@gatehouse/contract'
import { memo, startTransition, useDeferredValue, type KeyboardEvent, type ReactNode } from 'react'
import { LightOption, optionEvents } from '../../ui/filters/light-option.tsx'
import { choicesShown, useChoice } from './choice-source.tsx'
import classes from './endpoint-select.module.css'
import { detailOf } from './endpoint-words.ts'
import { MethodBadge } from './method-badge.tsx'
import { useEndpointSearch, type EndpointSearch } from './use-endpoint-search.ts'

interface EndpointSelectProps {
  label: string
  value: string | null
  onChange: (value: string | null) => void
  /** Offers only what Get may call. */
  onlyReads?: boolean
  error?: string | undefined
  /** Shown under the field while nothing is chosen. */
  hint?: string | undefined
}

/**
 * Chooses an endpoint by its summery; method, path and API distinguish those of one name. The server is
 * searched as one types. Enter and Tab take the first match. A text that nothing was chosen for is an error, and
 * holds up what sends the form (see `UnresolvedFields`).
 */
export function EndpointSelect({ label, hint, error, ...props }: EndpointSelectProps) {
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() })
  const search = useEndpointSearch(props, combobox)
  const { chosen, value, shownText } = search
  return (
    <Combobox
      store={combobox}
      // A list that is closed is not in the document.
      keepMounted={false}
      // As wide as its field and of a bounded height: above or below is all that is to be found out, once.
      middlewares={aboveOrBelow}
      preventPositionChangeWhenVisible={false}
    >
      <Combobox.Target withExpandedAttribute>
        <TextInput
          label={label}
          placeholder="Choose an endpoint"
          value={shownText}
          error={error ?? search.problem}
          description={chosen ? `${chosen.method_type.toUpperCase()} ${detailOf(chosen)}` : hint}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          onChange={(event) => search.type(event.currentTarget.value)}
          onFocus={(event) => event.currentTarget.select()}
          // The field shows at once that it was pressed, also where the list takes longer to draw.
          onClick={() => startTransition(() => combobox.openDropdown())}
          onBlur={() => combobox.closeDropdown()}
          onKeyDown={(event) => handleKey(event, search)}
          rightSection={
            value === null && shownText === '' ? (
              <Combobox.Chevron />
            ) : (
              <CloseButton size="sm" aria-label="Clear the choice" onClick={search.clear} />
            )
          }
          rightSectionPointerEvents={value === null && shownText === '' ? 'none' : 'all'}
          spellCheck={false}
          autoComplete="off"
        />
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Options
          className={classes['list'] ?? ''}
          aria-label={label}
          {...optionEvents(search.choose)}
        >
          <Choices options={search.options} value={value} />
          <ListEnd search={search} />
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}

const aboveOrBelow = { flip: true, shift: false }

function handleKey(event: KeyboardEvent, search: EndpointSearch) {
  if (event.key === 'Escape') search.giveUp()
  if (!search.isUnresolved) return
  if (event.key === 'Tab') search.takeFirst()
  if (event.key === 'Enter' && !search.hasMarked()) {
    event.preventDefault()
    search.takeFirst()
  }
}

/** What the list says beneath its options. */
function ListEnd({ search }: { search: EndpointSearch }): ReactNode {
  if (search.options.length >= choicesShown)
    return <Combobox.Empty>The first {choicesShown}. Type to find others.</Combobox.Empty>
  if (search.options.length > 0) return null
  if (search.failure !== undefined) return <Combobox.Empty>{search.failure}</Combobox.Empty>
  return (
    <Combobox.Empty>
      {search.isFresh ? 'No endpoint of that name, path or API' : <Loader size="xs" />}
    </Combobox.Empty>
  )
}

/** More than fit into the list at once: these are drawn with it, the others as soon as it is on the screen. */
const drawnAtOnce = 8

interface ChoicesProps {
  options: readonly EndpointOption[]
  value: string | null
}

function Choices({ options, value }: ChoicesProps) {
  const drawn = useDeferredValue(options.length, drawnAtOnce)
  return options
    .slice(0, drawn)
    .map((choice) => (
      <Choice key={choice.id} choice={choice} isChosen={String(choice.id) === value} />
    ))
}

const Choice = memo(function Choice({ choice, isChosen }: ChoiceProps) {
  return (
    <LightOption value={String(choice.id)} isChosen={isChosen} className={classes['choice']}>
      <span className={classes['method']}>
        <MethodBadge method={choice.method_type} />
      </span>
      <span className={classes['texts']}>
        {choice.summery}
        <span className={classes['detail']}>{detailOf(choice)}</span>
      </span>
    </LightOption>
  )
})

interface ChoiceProps {
  choice: EndpointOption
  isChosen: boolean
}

/** What an endpoint is called; its id where the user can't call it. */
export function EndpointName({ id }: { id: string }) {
  const choice = useChoice(id)
  return choice?.summery ?? `Endpoint ${id}`
}
