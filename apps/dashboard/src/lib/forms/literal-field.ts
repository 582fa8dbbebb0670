import type { UseFormReturnType } from '@mantine/form'

const order: ('label' | 'input' | 'description' | 'error')[] = [
  'label',
  'input',
  'description',
  'error',
]

/** Of a field that holds no words: neither corrected nor turned round. */
export const literal = (form: Pick<UseFormReturnType<never>, 'getInputProps'>, field: string) => ({
  ...form.getInputProps(field as never),
  spellCheck: false,
  dir: 'ltr' as const,
  inputWrapperOrder: order,
})
