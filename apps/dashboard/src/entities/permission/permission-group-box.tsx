import { memo, useId } from 'react'
import { BareCheckbox } from '../../ui/form/bare-checkbox.tsx'
import { boxState, countChosen, type Chosen, type PermissionGroup } from './permission-choice.ts'
import { permissionGroupWords, permissionWords } from './permission-words.ts'
import classes from './permission-picker.module.css'

interface PermissionGroupBoxProps {
  /** With all its permissions: the group's own box covers them all, also while searching. */
  group: PermissionGroup
  /** Those that are shown. */
  shown: readonly string[]
  chosen: Chosen
  grantable: Chosen
  /** Id of the text that says why some can't be changed. */
  reasonId: string
  /** Must stay the same function: it is not compared. */
  onToggle: (names: readonly string[]) => void
}

/** One group. Drawn again only if something in it has changed, so that a thousand boxes stay quick. */
export const PermissionGroupBox = memo(function PermissionGroupBox(props: PermissionGroupBoxProps) {
  const { group, shown, chosen, grantable, reasonId, onToggle } = props
  const state = boxState(group.permissions, chosen)
  const id = useId()
  return (
    <fieldset className={classes['group']}>
      <legend className={classes['legend']}>{group.name}</legend>
      <div className={classes['head']}>
        <BareCheckbox
          label={<Named id={id} words={permissionGroupWords[group.name]} code={group.name} />}
          name={group.name}
          isChecked={state === 'checked'}
          isPartly={state === 'partly'}
          isDisabled={!group.permissions.some((name) => grantable.has(name))}
          onToggle={() => onToggle(group.permissions)}
        />
        <span className={classes['count']}>
          {countChosen(group.permissions, chosen)} of {group.permissions.length}
        </span>
      </div>
      {shown.map((name) => {
        const isGrantable = grantable.has(name)
        return (
          <BareCheckbox
            key={name}
            label={<Named id={id + name} words={permissionWords[name]} code={name} />}
            name={name}
            isChecked={chosen.has(name)}
            isDisabled={!isGrantable}
            describedBy={isGrantable ? wordsId(id + name) : `${wordsId(id + name)} ${reasonId}`}
            onToggle={() => onToggle([name])}
          />
        )
      })}
    </fieldset>
  )
}, isSame)

const wordsId = (id: string) => `${id}-words`

/** In words, with the code in grey, which names the box (spec: role-edit); the code alone where there are no words for it. */
function Named({ id, words, code }: { id: string; words: string | undefined; code: string }) {
  if (words === undefined) return <bdi>{code}</bdi>
  return (
    <span className={classes['named']}>
      <span id={wordsId(id)}>{words}</span> <code dir="ltr">{code}</code>
    </span>
  )
}

function isSame(before: PermissionGroupBoxProps, after: PermissionGroupBoxProps): boolean {
  return (
    before.group === after.group &&
    before.shown === after.shown &&
    before.grantable === after.grantable &&
    after.group.permissions.every((name) => before.chosen.has(name) === after.chosen.has(name))
  )
}
