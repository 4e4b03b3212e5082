/** The HTTP interface (I4): every call of the table of routes, behind authentication, with one shape of refusal. */
import type { HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { createFailedAttempts } from './attempts.ts';
import { authenticate, requireScope } from './auth.ts';
import { readJsonBody } from './body.ts';
import type { GatewayDeps } from './deps.ts';
import { ApiFailure } from './failure.ts';
import { openApi } from './openapi.ts';
import { type Answer, type Call, type Caller, ok, type Route } from './route.ts';
import { approvalRoutes } from './routes/approvals.ts';
import { controlRoutes } from './routes/control.ts';
import { eventRoutes } from './routes/events.ts';
import { healthRoutes } from './routes/health.ts';
import { steeringRoutes } from './routes/steering.ts';
import { turnRoutes } from './routes/turns.ts';
import { storeFault } from './store-fault.ts';
import { validate } from './validate.ts';

const BASE = '/api/v1';
const FAILED_ATTEMPTS_A_MINUTE = 30;
const NOBODY: Caller = { id: '', name: '', scopes: [] };

type Env = { Bindings: Partial<HttpBindings> };

/** @param closing fires when the gateway shuts down; open streams end then */
export function createApp(deps: GatewayDeps, closing: AbortSignal): Hono<Env> {
  const routes = withDescription(deps.version);
  const attempts = createFailedAttempts(FAILED_ATTEMPTS_A_MINUTE, deps.now);
  const identify = (c: Context<Env>) =>
    authenticate(deps.store.tokens, attempts, { authorization: c.req.header('authorization'), address: addressOf(c) });

  const app = new Hono<Env>();
  for (const route of routes) {
    app.on(route.method, `${BASE}${route.path}`, async (c) => {
      const who = route.scope === 'none' ? NOBODY : await identify(c);
      if (route.scope !== 'none') requireScope(who, route.scope);
      const query = validate(route.query ?? z.strictObject({}), singleValues(c), 'query');
      const body = route.body ? validate(route.body, await readJsonBody(c.req.raw), 'body') : undefined;
      return respond(await route.handle({ ...callOf(c), deps, who, query, body, signal: closing }));
    });
  }
  app.notFound(async (c) => {
    await identify(c);
    throw noSuchCall(c, routes);
  });
  app.onError((error) => refuse(error, deps));
  return app;
}

/** The description of the interface is a call of the interface too. */
function withDescription(version: string): Route[] {
  const all: Route[] = [
    ...turnRoutes,
    ...eventRoutes,
    ...steeringRoutes,
    ...approvalRoutes,
    ...controlRoutes,
    ...healthRoutes,
  ];
  const description: Route = {
    method: 'GET',
    path: '/openapi.json',
    scope: 'read',
    summary: 'This description.',
    answers: { 200: { description: 'OpenAPI 3.1', schema: z.looseObject({ openapi: z.string() }) } },
    handle: async () => ok(document),
  };
  all.push(description);
  const document = openApi(all, version);
  return all;
}

function callOf(c: Context<Env>): Pick<Call<unknown, unknown>, 'params' | 'surface' | 'method' | 'header'> {
  const surface = c.req.header('x-everturn-surface') ?? '';
  return {
    params: c.req.param() as Record<string, string>,
    surface: /^[a-z][a-z0-9-]{0,31}$/.test(surface) ? surface : 'http',
    method: c.req.method,
    header: (name) => c.req.header(name),
  };
}

/** @throws ApiFailure 400 for a parameter that is there twice: which one was meant? */
function singleValues(c: Context<Env>): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [name, all] of Object.entries(c.req.queries())) {
    const [value, ...more] = all;
    if (more.length > 0) {
      throw new ApiFailure(400, 'invalid_request', {
        message: `The parameter "${name.slice(0, 80)}" is given ${all.length} times.`,
        hint: 'Give it once; lists are comma-separated.',
      });
    }
    if (value !== undefined) values[name] = value;
  }
  return values;
}

function addressOf(c: Context<Env>): string {
  return c.env?.incoming?.socket.remoteAddress ?? 'unknown';
}

const COMMON = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

function respond(answer: Answer): Response {
  return answer instanceof Response ? answer : Response.json(answer.body, { status: answer.status, headers: COMMON });
}

function refuse(error: unknown, deps: GatewayDeps): Response {
  const failure = error instanceof ApiFailure ? error : (storeFault(error) ?? unexpected());
  if (!(error instanceof ApiFailure)) {
    const why = error instanceof Error ? (error.stack ?? error.message) : String(error);
    deps.log('error', failure.message, { why: deps.render.text(why) });
  }
  return Response.json(failure.toJson(), { status: failure.status, headers: { ...COMMON, ...failure.headers } });
}

const unexpected = () =>
  new ApiFailure(500, 'internal', {
    message: 'Something went wrong inside the gateway.',
    hint: 'Running turns are not harmed. The log of the gateway says more.',
  });

function noSuchCall(c: Context<Env>, routes: readonly Route[]): ApiFailure {
  const path = c.req.path.startsWith(BASE) ? c.req.path.slice(BASE.length) : '';
  const parts = path.split('/');
  const others = routes.filter((route) => {
    const wanted = route.path.split('/');
    return wanted.length === parts.length && wanted.every((part, i) => part.startsWith(':') || part === parts[i]);
  });
  const methods = [...new Set(others.map((route) => route.method))].join(', ');
  return new ApiFailure(404, 'no_such_call', {
    message: methods === '' ? 'There is no such call.' : `This path takes ${methods} only.`,
    hint: `GET ${BASE}/openapi.json describes every call.`,
  });
}
