import type { UseFormReturnType } from '@mantine/form'

/** One part of a form, so that its fields need not know the rest. */
export interface FormPart<Values> {
  values: Values
  /** `field` is a path below the part, such as `headers.0.name`. */
  set: (field: string, value: unknown) => void
  replace: (values: Values) => void
  errorOf: (field: string) => string | undefined
}

/** The part of a form at a path of its values. */
export function partOf<Values, Path extends keyof Values & string>(
  form: UseFormReturnType<Values>,
  path: Path,
): FormPart<Values[Path]> {
  return {
    values: form.values[path],
    set: (field, value) => form.setFieldValue(`${path}.${field}`, value as never),
    replace: (values) => form.setFieldValue(path, values as never),
    errorOf: (field) => {
      const error: unknown = form.errors[`${path}.${field}`]
      return typeof error === 'string' ? error : undefined
    },
  }
}
