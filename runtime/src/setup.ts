/**
 * To be imported first, for what it does: it reads the `.env` files of the working directory, so
 * that every later module finds the variables, and it loads what TypeGraphQL's decorators need.
 */
import 'reflect-metadata';
import './settings/load-env.js';
