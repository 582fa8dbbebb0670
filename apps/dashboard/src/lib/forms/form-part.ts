import type { UseFormReturnType } from '@mantine/form'

/**
 * One part of a form, so that its fields need not know the rest. A `field` is a path below the part,
 * such as `headers.0.name`; blank is the part itself.
 */
export interface FormPart<Values> {
  values: Values
  /** The path of a field in the whole form. */
  pathOf: (field: string) => string
  set: (field: string, value: unknown) => void
  replace: (values: Values) => void
  errorOf: (field: string) => string | undefined
  /** Whether a message belongs to the field, or to anything below it. */
  hasErrorIn: (field: string) => boolean
  /** Adds an item at the end of a list. */
  append: (field: string, item: unknown) => void
  /** Takes an item from a list; the messages of those behind it move along. */
  remove: (field: string, at: number) => void
}

/** For fields that change single values: the part may hold more than they know. */
export type PartToEdit<Values> = Omit<FormPart<Values>, 'replace'>

/** The part of a form at a path of its values. */
export function partOf<Values, Path extends keyof Values & string>(
  form: UseFormReturnType<Values>,
  path: Path,
): FormPart<Values[Path]> {
  const at = (field: string) => joined(path, field)
  return {
    values: form.values[path],
    pathOf: at,
    set: (field, value) => form.setFieldValue(at(field), value as never),
    replace: (values) => form.setFieldValue(path, values as never),
    errorOf: (field) => {
      const error: unknown = form.errors[at(field)]
      return typeof error === 'string' ? error : undefined
    },
    hasErrorIn: (field) =>
      Object.keys(form.errors).some((key) => key === at(field) || key.startsWith(`${at(field)}.`)),
    append: (field, item) => form.insertListItem(at(field), item as never),
    remove: (field, index) => form.removeListItem(at(field), index),
  }
}

/** A part of a part. */
export function partIn<Values, Path extends keyof Values & (string | number)>(
  part: PartToEdit<Values>,
  path: Path,
): FormPart<Values[Path]> {
  const at = (field: string) => joined(String(path), field)
  return {
    values: part.values[path],
    pathOf: (field) => part.pathOf(at(field)),
    set: (field, value) => part.set(at(field), value),
    replace: (values) => part.set(at(''), values),
    errorOf: (field) => part.errorOf(at(field)),
    hasErrorIn: (field) => part.hasErrorIn(at(field)),
    append: (field, item) => part.append(at(field), item),
    remove: (field, index) => part.remove(at(field), index),
  }
}

const joined = (path: string, field: string) => (field === '' ? path : `${path}.${field}`)
