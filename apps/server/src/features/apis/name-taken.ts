import { fieldError } from '../../kernel/app-error.ts'

export const nameTaken = () => fieldError({ name: ['This name is already in use.'] })
