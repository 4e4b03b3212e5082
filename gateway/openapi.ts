/** The interface described in OpenAPI 3.1, made from the very schemas that check the requests. */
import { z } from 'zod';
import type { AnswerDoc, Route } from './route.ts';
import { failure } from './schemas.ts';

type JsonSchema = Record<string, unknown>;

const REFUSALS: Record<number, string> = {
  400: 'the request is malformed',
  401: 'no valid token',
  403: 'the token lacks the scope',
  404: 'no such thing',
  413: 'the body is larger than 1 MiB',
  415: 'the body is not application/json',
  422: 'understood, but it cannot be done as asked',
  429: 'too much, or too often: wait and try again',
  503: 'the store or Temporal cannot serve now',
};

export function openApi(routes: readonly Route[], version: string): JsonSchema {
  const paths: Record<string, JsonSchema> = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Everturn', version, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: '/api/v1' }],
    security: [{ bearer: [] }],
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: { Failure: toJson(failure) },
    },
  };
}

function operation(route: Route): JsonSchema {
  return {
    operationId: operationId(route),
    summary: route.summary,
    ...(route.scope === 'none' ? { security: [] } : { 'x-scope': route.scope }),
    parameters: [...pathParameters(route), ...queryParameters(route), ...headerParameters(route)],
    ...(route.body === undefined
      ? {}
      : { requestBody: { required: true, content: { 'application/json': { schema: toJson(route.body, 'input') } } } }),
    responses: responses(route),
  };
}

/** `POST /turns/:turnId/steer` is `postTurnsTurnIdSteer`. */
function operationId({ method, path }: Route): string {
  const words = path.split(/[/:.]+/).filter((word) => word !== '');
  return method.toLowerCase() + words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join('');
}

function pathParameters({ path }: Route): JsonSchema[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function queryParameters({ query }: Route): JsonSchema[] {
  if (!(query instanceof z.ZodObject)) return [];
  return Object.entries(query.shape as Record<string, z.ZodType>).map(([name, field]) => {
    const { description, ...schema } = toJson(field, 'input');
    return { name, in: 'query', required: false, ...(description === undefined ? {} : { description }), schema };
  });
}

function headerParameters({ headers = {} }: Route): JsonSchema[] {
  return Object.entries(headers).map(([name, description]) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string' },
  }));
}

function responses(route: Route): JsonSchema {
  const refusals = Object.entries(REFUSALS).map(([status, description]) => [
    status,
    { description, content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } } },
  ]);
  const answers = Object.entries(route.answers).map(([status, doc]) => [status, response(doc)]);
  return Object.fromEntries([...refusals, ...answers]);
}

function response({ description, schema, stream }: AnswerDoc): JsonSchema {
  const content: JsonSchema = {};
  if (schema) content['application/json'] = { schema: toJson(schema) };
  if (stream) content['text/event-stream'] = { schema: { type: 'string' } };
  return { description, content };
}

function toJson(schema: z.ZodType, io: 'input' | 'output' = 'output'): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
}
