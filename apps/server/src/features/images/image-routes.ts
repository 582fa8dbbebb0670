import { generateImage } from '@gatehouse/contract'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../kernel/mount.ts'
import type { ImageService } from './image-service.ts'

export function imageRoutes(app: FastifyInstance, images: ImageService): void {
  mount(app, generateImage, async ({ body }) => ({
    type: generateImage.answers,
    body: await images.generate(body),
  }))
}
