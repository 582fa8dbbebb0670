import { Combobox, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Fragment, useEffect, useState } from 'react'
import type { AccessEndpoint } from '@gatehouse/contract'
import { messageOf } from '../../lib/calls/call-error.ts'
import { endpointLine, endpointName } from './access-choices.ts'
import { MoreToFind, OtherPills, pillsMax } from './access-picker.tsx'
import classes from './access-picker.module.css'
import { accessQueries } from './access-queries.ts'
import {
  countChosen,
  countOfApi,
  isChosen,
  toggleApi,
  toggleEndpoint,
  type ApiChoice,
  type EndpointChoice,
  type EndpointEdit,
} from './endpoint-edit.ts'
import { AccessTree } from './tree/access-tree.tsx'
import { ChosenPill, PickerFrame, PickerOption, type PickerProps } from './picker-frame.tsx'

interface EndpointAccessPickerProps extends PickerProps {
  roleId: number
  /** The first endpoints that the role has, and how many it has. */
  held: { endpoints: readonly AccessEndpoint[]; count: number }
  edit: EndpointEdit
  onChange: (edit: EndpointEdit) => void
}

const pauseMs = 200

/** The endpoints of a role, searched at the server, and their APIs, each of which is given as a whole. */
export function EndpointAccessPicker(props: EndpointAccessPickerProps) {
  const { roleId, held, edit, onChange, ...frame } = props
  const [search, setSearch] = useState('')
  const combobox = useCombobox()
  const [settled] = useDebouncedValue(search.trim(), search === '' ? 0 : pauseMs)
  const choices = useQuery({
    ...accessQueries.choices(roleId, settled),
    enabled: combobox.dropdownOpened,
  })
  const { selectOption, resetSelectedOption } = combobox
  const { data } = choices
  // Enter takes the first endpoint that was found; before it is its API.
  useEffect(() => {
    if (settled === '' || !data?.endpoints.length) resetSelectedOption()
    else selectOption(1)
  }, [settled, data, selectOption, resetSelectedOption])

  function handleToggle(value: string) {
    const id = Number(value.replace('api-', ''))
    const api = value.startsWith('api-') ? data?.apis.find((each) => each.id === id) : undefined
    const endpoint = data?.endpoints.find((each) => each.id === id)
    if (api) onChange(toggleApi(edit, api))
    else if (endpoint) onChange(toggleEndpoint(edit, endpoint))
  }
  const chosen = chosenOf(held.endpoints, edit)
  const last = chosen.at(-1)
  return (
    <>
      <div className={classes['field']}>
        <PickerFrame
          {...frame}
          isOverlay
          combobox={combobox}
          search={search}
          onSearch={setSearch}
          onToggle={handleToggle}
          onRemoveLast={() => last && onChange(toggleEndpoint(edit, last))}
          placeholder={countChosen(edit, held.count) === 0 ? 'Choose endpoints' : ''}
          pills={
            <Pills
              chosen={chosen}
              count={countChosen(edit, held.count)}
              edit={edit}
              {...(frame.isDisabled ? {} : { onChange })}
            />
          }
        >
          {choices.isError ? (
            <Combobox.Empty>{messageOf(choices.error)}</Combobox.Empty>
          ) : (
            data && <Options {...data} edit={edit} />
          )}
        </PickerFrame>
      </div>
      <AccessTree
        roleId={roleId}
        search={settled}
        edit={edit}
        onChange={onChange}
        isDisabled={frame.isDisabled ?? false}
      />
    </>
  )
}

/** The chosen endpoints that are known here, those that were chosen last at the end. */
function chosenOf(held: readonly AccessEndpoint[], edit: EndpointEdit): EndpointChoice[] {
  const isOfWholeApi = ({ api_id }: AccessEndpoint) => edit.addApis.some(({ id }) => id === api_id)
  return [
    ...held.map((each) => ({ ...each, is_held: true })),
    ...edit.add.map((each) => ({ ...each, is_held: false })),
  ].filter((each, at, all) => {
    const isFirst = all.findIndex(({ id }) => id === each.id) === at
    return isFirst && isChosen(edit, each) && !isOfWholeApi(each)
  })
}

interface PillsProps {
  chosen: readonly EndpointChoice[]
  count: number
  edit: EndpointEdit
  onChange?: (edit: EndpointEdit) => void
}

function Pills({ chosen, count, edit, onChange }: PillsProps) {
  const shown = chosen.slice(-pillsMax)
  const ofApis = edit.addApis.reduce((sum, api) => sum + countOfApi(edit, api), 0)
  return (
    <>
      <OtherPills count={count - ofApis - shown.length} />
      {edit.addApis.map((api) => (
        <ChosenPill
          key={`api-${api.id}`}
          name={wholeApi(api)}
          {...(onChange ? { onRemove: () => onChange(withoutApi(edit, api)) } : {})}
        />
      ))}
      {shown.map((each) => (
        <ChosenPill
          key={each.id}
          name={endpointName(each)}
          {...(onChange ? { onRemove: () => onChange(toggleEndpoint(edit, each)) } : {})}
        />
      ))}
    </>
  )
}

/** The API as it was before it was given as a whole. */
const withoutApi = (edit: EndpointEdit, { id }: ApiChoice): EndpointEdit => ({
  ...edit,
  remove: edit.remove.filter(({ api_id }) => api_id !== id),
  addApis: edit.addApis.filter((each) => each.id !== id),
})

const wholeApi = ({ name, endpoints_count }: ApiChoice) =>
  endpoints_count === 1 ? `The endpoint of ${name}` : `All ${endpoints_count} endpoints of ${name}`

interface OptionsProps {
  endpoints: readonly EndpointChoice[]
  apis: readonly ApiChoice[]
  total: number
  edit: EndpointEdit
}

/** Each API, with those of its endpoints that were found. */
function Options({ endpoints, apis, total, edit }: OptionsProps) {
  if (apis.length === 0) return <Combobox.Empty>No endpoints match</Combobox.Empty>
  const byApi = Map.groupBy(endpoints, ({ api_id }) => api_id)
  const [first] = endpoints
  const ordered = apis.toSorted(
    (a, b) => Number(b.id === first?.api_id) - Number(a.id === first?.api_id),
  )
  return (
    <>
      {ordered.map((api) => (
        <Fragment key={api.id}>
          <PickerOption
            value={`api-${api.id}`}
            name={wholeApi(api)}
            line={chosenWords(countOfApi(edit, api))}
            isChosen={countOfApi(edit, api) === api.endpoints_count}
          />
          {byApi.get(api.id)?.map((each) => (
            <PickerOption
              key={each.id}
              value={String(each.id)}
              name={endpointName(each)}
              line={endpointLine(each)}
              isChosen={isChosen(edit, each)}
            />
          ))}
        </Fragment>
      ))}
      {total > endpoints.length && <MoreToFind count={total - endpoints.length} />}
    </>
  )
}

function chosenWords(count: number) {
  return `${count} chosen`
}
