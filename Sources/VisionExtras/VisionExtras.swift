// What Apple's 2018/2019 API does not have.
